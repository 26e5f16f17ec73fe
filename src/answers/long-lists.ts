import { availableParallelism } from 'node:os';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { recordsForm, type LineForm, type ListStart } from '../database/lines.js';
import { Turns } from '../database/turns.js';
import { DomainError } from '../http/errors.js';
import { FOR_MEMORY, type AnswerMemory } from './answer-memory.js';

// Each keeps a processor busy where the database runs, which may be this machine. A list takes a tenth of a second; an export
// may take minutes, so exports leave half of them to the others.
const AT_ONCE = availableParallelism();
const EXPORTS_AT_ONCE = Math.max(1, Math.floor(AT_ONCE / 2));
const MOST_WAITING = 500;

/** Milliseconds after which a list that waits for its turn is refused. */
const PATIENCE = 30_000;
const REFUSAL = 'Too many long lists are being read at the moment. Try again shortly, or ask for shorter pages';

// Bytes that a list is read ahead of its clients, as a share of the memory of answers. A shorter list is read at once, however
// slow its clients are. A longer one keeps its connection to the database until they have taken the rest.
const SHARE_OF_A_LIST = 1 / 4;

/** Milliseconds that such a list may wait for its clients in total, and if there are few other connections. */
const WAIT_FOR_CLIENTS = 60_000;
const WAIT_ON_FEW_CONNECTIONS = 2_000;
const FEW_CONNECTIONS = 2;
// The share of the connections whose lists may wait for clients at the same time.
const SHARE_OF_PAUSED = 1 / 4;

// An export is as long as its table, so its clients get more time.
const WAIT_FOR_EXPORTS = 15 * 60_000;

// Milliseconds between the checks of a list that waits for memory.
const LOOK_AGAIN = 100;

/** Records that are read at once. */
interface Part {
  /** Absent if there are none. */
  bytes?: Buffer;
  /** Length of the first text. */
  first: number;
  /** Number of records of the list, if it is counted. */
  total?: number;
}

/** A list that is read part by part. */
interface Source {
  read(): Promise<Part>;
  /** Whether the last part was read. */
  readonly isOver: boolean;
  close(): Promise<void>;
}

interface Turn {
  give(): void;
  take(): Promise<unknown>;
}

/** Where one client is in a list that is being read. */
export class Follower {
  /** Number of parts that its socket has taken. */
  taken = 0;
  /** Number of the part that it sends next. */
  next = 0;
  private gone = false;

  constructor(private readonly list: LongList) {}

  /**
   * The records of the list as the text of a JSON array without its brackets, in parts. A client that asks for a part has sent
   * the part before the last one.
   */
  async *parts(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const part = await this.list.part(this.next);
        if (part === undefined || this.gone) return;
        this.taken = Math.max(0, this.next - 1);
        this.next++;
        this.list.advanced();
        yield part;
      }
    } finally {
      this.leave();
    }
  }

  /** To be called when the client has received its answer or has disconnected. */
  leave(): void {
    if (this.gone) return;
    this.gone = true;
    this.list.left(this);
  }
}

/** A list that is being read for one or more clients. Each part is held until all of them have it. */
class LongList {
  readonly followers = new Set<Follower>();
  /** The request that waits for its turn. */
  readonly callers = new Set<string>();
  begun = false;
  /** Length of the first text. */
  first = 0;
  private total?: number;
  private readonly held: { bytes: Buffer; release: () => void }[] = [];
  private dropped = 0;
  private bytes = 0;
  /** Memory for parts that are still to be read. */
  private aside = { bytes: 0, release: (): void => {} };
  private ended = false;
  private failure?: Error;
  private heard: (() => void)[] = [];

  constructor(
    private readonly memory: AnswerMemory,
    /** Bytes that are read ahead of its clients. */
    readonly most: number,
    /** The caller that it is read for. */
    private readonly caller: string,
  ) {}

  /**
   * Sets memory aside for what is still to be read. A list that has begun would otherwise have to wait for memory together with
   * lists that begin after it, and holds a connection meanwhile.
   */
  setAside(bytes: number): void {
    const { release } = this.aside;
    this.aside = { bytes, release: this.memory.hold(this.caller, bytes) };
    release();
  }

  follow(): Follower {
    const follower = new Follower(this);
    this.followers.add(follower);
    return follower;
  }

  /** Number of records of the whole list, not only of the page. @throws the error of the reading */
  async length(): Promise<number> {
    while (this.total === undefined) {
      if (this.failure) throw this.failure;
      await this.change();
    }
    return this.total;
  }

  /** @param part the first part */
  counted({ total = 0, first }: Part): void {
    this.total = total;
    this.first = first;
    this.tell();
  }

  push(bytes: Buffer): void {
    const release = this.memory.hold(this.caller, bytes.length);
    this.setAside(Math.max(0, this.aside.bytes - bytes.length));
    this.bytes += bytes.length;
    this.held.push({ bytes, release });
    if (this.followers.size === 0) this.drop();
    this.tell();
  }

  end(failure?: Error): void {
    this.ended = true;
    this.failure = failure;
    this.setAside(0);
    this.tell();
  }

  /** The part of this number, once it was read; undefined after the last. @throws the error of the reading */
  async part(index: number): Promise<Buffer | undefined> {
    for (;;) {
      const part = this.held[index - this.dropped];
      if (part) return part.bytes;
      if (this.failure) throw this.failure;
      if (this.ended) return undefined;
      await this.change();
    }
  }

  /** Whether more can be read before its clients have taken the parts that were read. */
  get hasRoom(): boolean {
    // The part that the slowest client waits for is always read, because the one that it sends is held until then.
    const end = this.dropped + this.held.length;
    if ([...this.followers].every(({ next }) => next >= end)) return true;
    return this.bytes < this.most && (this.aside.bytes > 0 || !this.memory.isFull(this.caller));
  }

  /** Resolves when a part was read, a client took a part or disconnected, or the reading ended. */
  change(): Promise<void> {
    return new Promise((resolve) => this.heard.push(resolve));
  }

  advanced(): void {
    this.drop();
    this.tell();
  }

  left(follower: Follower): void {
    this.followers.delete(follower);
    this.drop();
    this.tell();
  }

  /** Releases the parts that all clients have taken. */
  private drop(): void {
    const taken = Math.min(...[...this.followers].map((follower) => follower.taken));
    while (this.held.length > 0 && this.dropped < taken) {
      const { bytes, release } = this.held.shift()!;
      this.dropped++;
      this.bytes -= bytes.length;
      release();
    }
  }

  private tell(): void {
    const { heard } = this;
    this.heard = [];
    for (const resolve of heard) resolve();
  }
}

/**
 * Reads long lists in steps, each list from one snapshot. Parts are sent while the rest is read, and no more is held than there
 * is memory for. Lists are read round-robin by caller. Requests for the same list share one reading if they arrive before it
 * begins, so that it contains everything that was committed before any of them.
 */
export class LongLists {
  private readonly turns: Turns;
  /** Lists that wait for their turn, by their statement. */
  private readonly waiting = new Map<string, LongList>();
  /** Lists that have begun and wait for their clients. */
  private paused = 0;
  private pauses = 0;

  constructor(
    private readonly db: Database,
    private readonly memory: AnswerMemory,
    /** Milliseconds that a list may wait for its clients in total. */
    private readonly patience = db.size > FEW_CONNECTIONS ? WAIT_FOR_CLIENTS : WAIT_ON_FEW_CONNECTIONS,
    atOnce = AT_ONCE,
    /** Milliseconds that a list may wait for its turn. */
    waiting = PATIENCE,
  ) {
    this.turns = new Turns(
      atOnce,
      { patience: waiting, refusal: REFUSAL },
      { forClaim: { patience: waiting, refusal: FOR_MEMORY.refusal }, mostWaiting: MOST_WAITING },
    );
    memory.onRelease(() => this.turns.serve());
  }

  /** Lists that are files of lines. They take turns of their own, so that a whole table delays no page. */
  static ofLines(db: Database, memory: AnswerMemory): LongLists {
    const patience = db.size > FEW_CONNECTIONS ? WAIT_FOR_EXPORTS : WAIT_ON_FEW_CONNECTIONS;
    return new LongLists(db, memory, patience, EXPORTS_AT_ONCE);
  }

  /** How many lists wait for their turn. */
  get pending(): number {
    return this.turns.pending;
  }

  /**
   * @param caller that it is read for
   * @param text SELECT of the list's records, as `rows`, and its `total` in each row; without a total where it is not counted.
   * With a form, SELECT of the cells of its lines
   * @param bytes returns how many bytes the list probably has, as far as that is known when it may begin
   * @param form of the lines that the list is read as
   * @returns its `total`, the length of the `first` text, and access to all texts
   * @throws DomainError unavailable
   */
  async read(
    caller: string,
    text: string,
    values: readonly unknown[],
    { bytes, form }: { bytes?: () => number | undefined; form?: LineForm } = {},
  ): Promise<{ total: number; first: number; follower: Follower }> {
    const key = JSON.stringify([text, values, form?.name]);
    let list = this.waiting.get(key);
    if (!list) this.waiting.set(key, (list = new LongList(this.memory, this.memory.limit * SHARE_OF_A_LIST, caller)));
    const follower = list.follow();
    // Each caller waits in its own queue, and the first turn serves all of them. Sharing never makes a request wait longer.
    if (!list.callers.has(caller)) {
      const { most } = list;
      const ahead = (): number => Math.min(bytes?.() ?? most, most);
      void this.queue(key, list, caller, ahead, () => this.open(text, values, form));
    }
    try {
      const total = await list.length();
      return { total, first: list.first, follower };
    } catch (error) {
      follower.leave();
      throw error;
    }
  }

  private async open(text: string, values: readonly unknown[], form?: LineForm): Promise<Source> {
    const list: ListStart = { first: 0 };
    const lines = await this.db.lines(text, values, form ?? recordsForm(list), this.patience);
    return {
      async read() {
        const bytes = await lines.read();
        return form ? { bytes, first: bytes?.length ?? 0 } : { bytes, ...list };
      },
      get isOver() {
        return lines.isOver;
      },
      close: () => lines.close(),
    };
  }

  /** @param ahead returns the bytes that there must be memory for */
  private async queue(
    key: string,
    list: LongList,
    caller: string,
    ahead: () => number,
    open: () => Promise<Source>,
  ): Promise<void> {
    list.callers.add(caller);
    let done: (() => void) | undefined;
    let isOurs = false;
    // The memory of a list is set aside with its turn, so that no list takes it that begins later.
    const claim = (): boolean => {
      if (list.begun) return true;
      const bytes = ahead();
      if (this.memory.isFull(caller, bytes)) return false;
      list.begun = isOurs = true;
      list.setAside(bytes);
      return true;
    };
    try {
      done = await this.turns.take(caller, claim);
      if (!isOurs) return;
      this.waiting.delete(key);
      // After it has begun, later requests do not share it. If it cannot begin, all waiting requests fail.
      const source = await open().catch((error: Error) => list.end(error));
      if (!source) return;
      await this.readAll(list, source, {
        give: () => done!(),
        // With a queue of its own, because it holds a connection and must not wait behind lists that have not begun.
        take: async () => (done = await this.turns.take(`${caller} ${this.pauses++}`)),
      });
    } catch (error) {
      list.callers.delete(caller);
      if (list.begun || list.callers.size > 0) return;
      this.waiting.delete(key);
      list.end(error as Error);
    } finally {
      done?.();
    }
  }

  private async readAll(list: LongList, source: Source, turn: Turn): Promise<void> {
    let isFirst = true;
    let patience = this.patience;
    let next: Promise<Part> | undefined;
    try {
      for (;;) {
        const part = await (next ?? source.read());
        next = undefined;
        if (isFirst) list.counted(part);
        isFirst = false;
        const isLast = source.isOver;
        if (!isLast && list.hasRoom) {
          // The next part is read while this one is sent. An error is thrown where it is awaited.
          next = source.read();
          next.catch(() => {});
        }
        if (part.bytes) {
          list.push(part.bytes);
          await setImmediate();
        }
        if (isLast || list.followers.size === 0) break;
        if (!next && !list.hasRoom) patience -= await this.pause(list, patience, turn);
      }
      list.end();
    } catch (error) {
      list.end(error as Error);
    } finally {
      await next?.catch(() => {});
      await source.close();
    }
  }

  /**
   * Waits until clients have taken the parts that were read. Other lists have the turn meanwhile.
   * @returns milliseconds that it waited for clients
   * @throws DomainError unavailable
   */
  private async pause(list: LongList, patience: number, turn: Turn): Promise<number> {
    // Each of them holds a connection.
    if (this.paused >= Math.max(1, Math.floor(this.db.size * SHARE_OF_PAUSED))) throw tooSlow();
    this.paused++;
    try {
      // If there are few connections, the list that has the turn might wait for this connection.
      const others = this.db.size > FEW_CONNECTIONS;
      if (others) turn.give();
      const began = Date.now();
      while (!list.hasRoom && list.followers.size > 0) {
        const left = began + patience - Date.now();
        if (left <= 0) throw tooSlow();
        const timer = new AbortController();
        const late = sleep(Math.min(left, LOOK_AGAIN), undefined, { signal: timer.signal }).catch(() => {});
        await Promise.race([list.change(), late]);
        timer.abort();
      }
      const waited = Date.now() - began;
      if (others && list.followers.size > 0) await turn.take();
      return waited;
    } finally {
      this.paused--;
    }
  }
}

/** The error of a list that has begun. The connection of the client is closed with it. */
const tooSlow = (): DomainError =>
  new DomainError('unavailable', 'The list is longer than the service can hold for a client that takes it so slowly');
