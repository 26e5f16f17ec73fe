import type { ClientBase, Notification, QueryConfig } from 'pg';

// In milliseconds. The connection is new, and a request waits for it.
const LISTEN_TIMEOUT = 2_000;

/**
 * Notifications that the database sends to all its clients. Every connection of the pool listens, so the one that commits a
 * change receives the notification before its client gets the result. The others receive it moments later.
 */
export class Notifications {
  private readonly listeners = new Map<string, ((payload: string) => void)[]>();
  private readonly lost: (() => void)[] = [];

  /** @param channels every connection of the pool listens on them from its start */
  constructor(private readonly channels: readonly string[]) {}

  /**
   * @param told is called with the payload of each notification on the channel
   * @param lost is called after a connection has ended, because notifications may have been missed
   */
  on(channel: string, told: (payload: string) => void, lost: () => void): void {
    if (!this.channels.includes(channel)) throw new Error(`No connection listens on ${channel}`);
    this.listeners.set(channel, [...(this.listeners.get(channel) ?? []), told]);
    this.lost.push(lost);
  }

  async listen(client: ClientBase): Promise<void> {
    client.on('notification', ({ channel, payload = '' }: Notification) => {
      for (const told of this.listeners.get(channel) ?? []) told(payload);
    });
    client.on('end', () => {
      for (const listener of this.lost) listener();
    });
    if (this.channels.length === 0) return;
    const text = this.channels.map((channel) => `LISTEN ${channel}`).join('; ');
    await client.query({ text, query_timeout: LISTEN_TIMEOUT } as QueryConfig);
  }
}
