import { isConnectionLoss } from '../database/database-errors.js';
import { DomainError } from '../http/errors.js';

/** Most writes that share a statement, and most characters of their values. */
export const MOST_TOGETHER = 16;
const MOST_CHARACTERS = 256 * 1024;

/** Statements of one lane that run at once before further writes wait for each other. */
const AT_ONCE = 2;

/** Longest that a write waits for a statement to share, in milliseconds. */
const PATIENCE = 20;

/**
 * Longest that a shared statement waits for a lock. After that its writes run alone, so that only the write that needs the
 * lock waits for it.
 */
export const SHARED_LOCK_TIMEOUT = '200ms';

/** A write of one record. */
export interface SharedWrite {
  /** Id of the record. A statement writes a record once. */
  readonly id: string;
  /** Number of characters of its values. */
  readonly size: number;
}

interface Waiting<W, R> {
  write: W;
  resolve(result: R): void;
  reject(error: unknown): void;
}

interface Lane<W, R> {
  running: number;
  /** Most writes of the next statement; one after a failure. */
  most: number;
  waiting: Waiting<W, R>[];
  timer?: NodeJS.Timeout;
}

/**
 * Writes that arrive while others of their kind are running share the next statement, because most of the cost of a single write
 * is the statement, not the record. Without others a write runs alone and at once.
 *
 * Each write has its own outcome. If a shared statement fails, PostgreSQL has undone it, and each of its writes runs alone.
 */
export class SharedStatements<W extends SharedWrite, R> {
  private readonly lanes = new Map<string, Lane<W, R>>();

  /**
   * @param alone runs one write
   * @param together runs several by one statement, or throws and has written none of them
   */
  constructor(
    private readonly alone: (write: W) => Promise<R>,
    private readonly together: (writes: readonly W[]) => Promise<readonly R[]>,
  ) {}

  /** @param key only writes of one lane share statements */
  run(key: string, write: W): Promise<R> {
    if (write.size > MOST_CHARACTERS) return this.alone(write);
    let lane = this.lanes.get(key);
    if (!lane) this.lanes.set(key, (lane = { running: 0, most: MOST_TOGETHER, waiting: [] }));
    const { waiting } = lane;
    return new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      if (lane.running < AT_ONCE) this.start(key, lane);
      // Statements that wait for a lock do not hold up those that come after them.
      else lane.timer ??= setTimeout(() => this.hurry(key, lane), PATIENCE);
    });
  }

  private hurry(key: string, lane: Lane<W, R>): void {
    lane.timer = undefined;
    if (lane.waiting.length === 0) return;
    this.start(key, lane);
    if (lane.waiting.length > 0) lane.timer = setTimeout(() => this.hurry(key, lane), PATIENCE);
  }

  private start(key: string, lane: Lane<W, R>): void {
    const entries = take(lane);
    lane.running++;
    void this.settle(lane, entries).finally(() => {
      lane.running--;
      if (lane.waiting.length > 0) {
        if (lane.running < AT_ONCE) this.start(key, lane);
      } else if (lane.running === 0) {
        clearTimeout(lane.timer);
        this.lanes.delete(key);
      }
    });
  }

  private async settle(lane: Lane<W, R>, entries: readonly Waiting<W, R>[]): Promise<void> {
    if (entries.length === 1) {
      await this.settleAlone(entries[0]!);
      lane.most = Math.min(lane.most * 2, MOST_TOGETHER);
      return;
    }
    try {
      const results = await this.together(entries.map(({ write }) => write));
      for (const [index, { resolve }] of entries.entries()) resolve(results[index]!);
      lane.most = Math.min(lane.most * 2, MOST_TOGETHER);
    } catch (error) {
      // A lost connection does not say whether the statement took effect, and a refusal has waited long enough.
      if (isConnectionLoss(error) || error instanceof DomainError) {
        for (const { reject } of entries) reject(error);
        return;
      }
      lane.most = 1;
      // Not awaited: one of them may have to wait for a lock.
      for (const entry of entries) void this.settleAlone(entry);
    }
  }

  private async settleAlone({ write, resolve, reject }: Waiting<W, R>): Promise<void> {
    try {
      resolve(await this.alone(write));
    } catch (error) {
      reject(error);
    }
  }
}

/** Takes the writes of the next statement, in their order: those of one record follow each other in several. */
function take<W extends SharedWrite, R>(lane: Lane<W, R>): Waiting<W, R>[] {
  const taken: Waiting<W, R>[] = [];
  const left: Waiting<W, R>[] = [];
  const ids = new Set<string>();
  let characters = 0;
  for (const entry of lane.waiting) {
    const { id, size } = entry.write;
    const fits = taken.length < lane.most && characters + size <= MOST_CHARACTERS && !ids.has(id);
    ids.add(id);
    if (fits) {
      taken.push(entry);
      characters += size;
    } else left.push(entry);
  }
  lane.waiting = left;
  return taken;
}
