/* Sends scans. Failed requests are retried automatically, even while another view is shown. */

import { useEffect, useState } from 'preact/hooks';
import { send } from '../api.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Fault } from '../types.js';
import { ScanQueue } from './queue.js';

/** The result of a code. */
type Outcome = 'waiting' | 'found' | 'unknown' | 'ambiguous' | 'refused';

interface Seen {
  code: string;
  outcome: Outcome;
  /** Number of scans in this window. */
  times: number;
  why?: string;
}

/** Seconds before retries. The last value is used from then on. */
const PAUSES = [1, 2, 5, 10];
/** Statuses that may change with a retry. */
const isPassing = (status = 0): boolean => [0, 401, 408, 425, 429].includes(status) || status >= 500;

const senders = new Map<string, Sender>();

export class Sender {
  readonly queue: ScanQueue;
  /** The codes that were scanned in this window, the last one first. */
  seen: Seen[] = [];
  /** Why nothing is sent any more. */
  stopped?: Fault;
  /** Whether the last attempt has failed and will be retried. */
  isLate = false;
  /** Number of successful requests. */
  arrivals = 0;
  readonly listeners = new Set<() => void>();
  private isBusy = false;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param path of the stocktake in the API */
  constructor(private readonly path: string) {
    this.queue = new ScanQueue(`scans.${path.split('/').at(-1)}`);
    this.seen = this.queue.codes.toReversed().map((code) => ({ code, outcome: 'waiting', times: 1 }));
    addEventListener('online', () => void this.pump());
    void this.pump();
  }

  scan(text: string, locationId: string | null): void {
    const code = text.trim();
    if (code === '') return;
    this.queue.add(code, locationId);
    const before = this.seen.find((one) => one.code === code);
    this.seen = [
      { code, outcome: 'waiting', times: (before?.times ?? 0) + 1 },
      ...this.seen.filter((one) => one !== before),
    ];
    this.tell();
    void this.pump();
  }

  again(): void {
    this.stopped = undefined;
    void this.pump();
  }

  forget(): void {
    this.queue.clear();
    this.stopped = undefined;
    this.tell();
  }

  private async pump(): Promise<void> {
    if (this.isBusy || this.stopped) return;
    clearTimeout(this.timer);
    const batch = this.queue.next();
    if (!batch) return;
    this.isBusy = true;
    const { key, codes, locationId } = batch;
    try {
      const body = { codes, ...(locationId && { locationId }) };
      const { data } = await send('POST', `${this.path}/scans`, { body, headers: { 'idempotency-key': key } });
      const { unknown, ambiguous } = data as components['schemas']['ScannedCodes'];
      this.queue.arrived(key);
      for (const code of codes)
        this.learn(code, unknown.includes(code) ? 'unknown' : ambiguous.includes(code) ? 'ambiguous' : 'found');
      this.failures = 0;
      this.isLate = false;
      this.arrivals++;
    } catch (problem) {
      this.failed(problem as Fault, key, codes);
    } finally {
      this.isBusy = false;
      this.tell();
    }
    if (!this.isLate) void this.pump();
  }

  private failed(refused: Fault, key: string, codes: readonly string[]): void {
    if (isPassing(refused.status)) {
      this.isLate = true;
      this.timer = setTimeout(() => void this.pump(), PAUSES[Math.min(this.failures++, PAUSES.length - 1)]! * 1000);
      return;
    }
    const bad = new Map(
      (refused.details ?? []).flatMap(({ field, message }) => {
        const at = /^codes\[(\d+)\]/.exec(field)?.[1];
        return at === undefined ? [] : [[codes[Number(at)]!, message] as const];
      }),
    );
    if (refused.status !== 400 || bad.size === 0) {
      this.stopped = refused;
      return;
    }
    this.queue.refuse(key, new Set(bad.keys()));
    for (const [code, why] of bad) this.learn(code, 'refused', why);
  }

  private learn(code: string, outcome: Outcome, why?: string): void {
    this.seen = this.seen.map((one) => (one.code === code ? { ...one, outcome, why } : one));
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The sender of a stocktake's scans, in a view that changes with it. */
export function useSender(path: string): Sender {
  if (!senders.has(path)) senders.set(path, new Sender(path));
  const sender = senders.get(path)!;
  const [, setTurn] = useState(0);
  useEffect(() => {
    const listener = (): void => setTurn((one) => one + 1);
    sender.listeners.add(listener);
    return () => void sender.listeners.delete(listener);
  }, [sender]);
  return sender;
}
