import type { ClientBase, Notification, PoolConfig } from 'pg';

/** Channel on which the triggers of the migration `session-changes` tell the id of a profile. */
export const SESSION_CHANGES = 'session_changes';

// In milliseconds; the connection is new, and whoever wants it waits for this.
const LISTEN_TIMEOUT = 2_000;

/**
 * What the database tells all its clients. Every connection of the pool listens: the one that commits a change hears of
 * it before its client does, the others moments later.
 */
export class Notifications {
  private readonly listeners: ((payload: string) => void)[] = [];
  private readonly lost: (() => void)[] = [];

  /** Options of a pool whose connections listen. */
  listening(pool: PoolConfig): PoolConfig {
    return { ...pool, onConnect: (client) => this.listen(client) };
  }

  /** @param lost is called when a connection has gone: what it would have told is not known */
  onSessionChange(changed: (profileId: string) => void, lost: () => void): void {
    this.listeners.push(changed);
    this.lost.push(lost);
  }

  private async listen(client: ClientBase): Promise<void> {
    client.on('notification', ({ payload = '' }: Notification) => {
      for (const listener of this.listeners) listener(payload);
    });
    client.on('end', () => {
      for (const listener of this.lost) listener();
    });
    const listen = { text: `LISTEN ${SESSION_CHANGES}`, query_timeout: LISTEN_TIMEOUT };
    await client.query(listen);
  }
}
