import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ChangeFeed, isAfter, type FeedEntry, type FeedPosition } from './change-feed.js';

/** Polling interval in milliseconds while a reader waits. */
const INTERVAL = 250;
/** Maximum entries, and bytes of entries, that are kept for waiting readers. */
const MOST_KEPT = 1_000;
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

const EVERYTHING = { filters: [] };

/** The newest entries of the log. */
interface Newest {
  /** `entries` are all that follow this position. */
  from: FeedPosition;
  /** Up to where the log was read. */
  end: FeedPosition;
  entries: FeedEntry[];
}

/**
 * The newest entries of the change log, read once for all waiting readers, so that a stream or a waiting request needs no database
 * connection. Nothing is read while nobody waits.
 */
@Injectable()
export class FeedHead implements OnModuleDestroy {
  private readonly logger = new Logger('Change feed');
  private readonly closing = new AbortController();
  private readers = 0;
  private stop?: AbortController;
  private newest?: Newest;
  private listeners: (() => void)[] = [];

  constructor(@Inject(ChangeFeed) private readonly feed: ChangeFeed) {}

  /** Whether the service stops: streams and waiting requests then end. */
  get isClosing(): boolean {
    return this.closing.signal.aborted;
  }

  onModuleDestroy(): void {
    this.closing.abort();
    this.stop?.abort();
    this.tell();
  }

  /** Begins to wait for entries. @returns a function that must be called once, when the wait ends */
  join(): () => void {
    if (this.readers++ === 0) {
      this.stop = new AbortController();
      void this.watch(this.stop.signal);
    }
    return () => {
      if (--this.readers > 0) return;
      this.stop!.abort();
      this.newest = undefined;
      this.tell();
    };
  }

  /** The entries after a position, none if there are no newer ones; undefined if they must be read from the database. */
  after(position: FeedPosition): FeedEntry[] | undefined {
    if (!this.newest || isAfter(this.newest.from, position)) return undefined;
    const { entries } = this.newest;
    let first = entries.length;
    while (first > 0 && isAfter(entries[first - 1]!, position)) first--;
    return entries.slice(first);
  }

  /** Resolves after the next read of the log, and when the service stops. */
  next(): Promise<void> {
    return this.isClosing ? Promise.resolve() : new Promise((resolve) => this.listeners.push(resolve));
  }

  private async watch(stop: AbortSignal): Promise<void> {
    let hasFailed = false;
    while (!stop.aborted) {
      try {
        const newest = await this.look();
        if (!stop.aborted) this.newest = newest;
        hasFailed = false;
      } catch (error) {
        // Waiting readers keep waiting. The entries are read when the database is available again.
        if (!hasFailed && !stop.aborted) this.logger.warn(`New entries cannot be read: ${(error as Error).message}`);
        hasFailed = true;
      }
      this.tell();
      await sleep(INTERVAL, undefined, { signal: stop }).catch(() => {});
    }
  }

  private async look(): Promise<Newest> {
    const { newest } = this;
    if (!newest) {
      const from = await this.feed.latest();
      return { from, end: from, entries: [] };
    }
    const page = await this.feed.read(newest.end, EVERYTHING, MOST_KEPT, MOST_KEPT_BYTES);
    const entries = [...newest.entries, ...page.entries];
    let { from } = newest;
    let bytes = entries.reduce((sum, { json }) => sum + json.length, 0);
    while (entries.length > MOST_KEPT || (bytes > MOST_KEPT_BYTES && entries.length > 1)) {
      from = entries.shift()!;
      bytes -= (from as FeedEntry).json.length;
    }
    return { from, end: page.end, entries };
  }

  private tell(): void {
    const { listeners } = this;
    this.listeners = [];
    for (const resolve of listeners) resolve();
  }
}
