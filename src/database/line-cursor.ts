import type { Duplex } from 'node:stream';
import Cursor from 'pg-cursor';
import type { LineColumn, LineForm, LineWriter } from './lines.js';

const NOTHING = Buffer.alloc(0);

const DATA_ROW = 'D'.charCodeAt(0);
/** Bytes of the type and the length of a message. */
const HEADER = 5;

/** Bytes of a part. A line that is longer is a part of its own. */
const PART_BYTES = 128 * 1024;

// Steps that PostgreSQL is asked for ahead, so that it goes on while a step is on its way.
const STEPS_AHEAD = 3;
/** Bytes of a step, if its rows are as long as the longest of those before. */
const BYTES_AT_ONCE = 1024 * 1024;

interface Wire {
  stream: Duplex;
  execute(config: { portal: string; rows: number }, more: boolean): void;
  flush(): void;
}

/** What `pg-cursor` keeps. */
interface Internals {
  connection: Wire | null;
  _portal: string;
}

type Listener = (chunk: Buffer) => void;

interface Base {
  handleRowDescription(message: unknown): void;
  handleCommandComplete(message: unknown): void;
  handleError(error: Error): void;
  handleReadyForQuery(): void;
}
const base = Cursor.prototype as unknown as Base;

/**
 * A cursor that makes lines of rows. While it reads, it takes the messages of the connection itself: pg would make a string of
 * each cell. All messages that are not rows go to pg.
 */
export class LineCursor extends Cursor {
  private writer?: LineWriter;
  /** Listens for pg; absent while pg listens itself. */
  private pg?: Listener;
  private readonly take: Listener = (chunk) => this.received(chunk);
  // The beginning of a message whose end has not come.
  private begun: Buffer[] = [];
  private begunBytes = 0;
  private neededBytes = 0;

  private part = NOTHING;
  private filled = 0;
  private readonly ready: Buffer[] = [];
  private waiting?: { resolve(part: Buffer | undefined): void; reject(error: Error): void };
  private failure?: Error;
  private isComplete = false;
  private isClosing = false;

  private rowsOfStep = 1;
  private longest = 1;

  constructor(
    text: string,
    values: unknown[],
    private readonly form: LineForm,
  ) {
    super(text, values);
  }

  /** Whether the last lines were read. */
  get isOver(): boolean {
    return this.isComplete && this.ready.length === 0;
  }

  /** Reads the next lines; undefined if there are no more. At most one call may be under way. */
  readLines(): Promise<Buffer | undefined> {
    const part = this.ready.shift();
    if (part === undefined && this.failure) return Promise.reject(this.failure);
    // Others are served in between. A socket that has more is read on without a break.
    setImmediate(() => this.pg && this.stream?.resume());
    if (part !== undefined || this.isComplete) return Promise.resolve(part);
    return new Promise((resolve, reject) => (this.waiting = { resolve, reject }));
  }

  /** Ends the reading, also in the middle. */
  async stop(): Promise<void> {
    this.isClosing = true;
    // Handing over what has come would stop the socket, and nobody would let it go on.
    this.filled = 0;
    this.stream?.resume();
    await this.close();
  }

  private get own(): Internals {
    return this as unknown as Internals;
  }

  private get stream(): Duplex | undefined {
    return this.own.connection?.stream;
  }

  /** Called by pg before the first row is asked for. Nothing else comes meanwhile, so no message is cut in two. */
  protected handleRowDescription(message: { fields: readonly LineColumn[] }): void {
    base.handleRowDescription.call(this, message);
    this.writer = this.form(message.fields);
    const stream = this.stream!;
    this.pg = stream.listeners('data')[0] as Listener;
    stream.on('data', this.take);
    stream.off('data', this.pg);
    for (let step = 0; step < STEPS_AHEAD; step++) this.ask();
  }

  protected handlePortalSuspended(): void {
    this.handOver();
    if (!this.isClosing) this.ask();
  }

  protected handleCommandComplete(message: unknown): void {
    this.handOver();
    this.isComplete = true;
    this.waiting?.resolve(undefined);
    this.waiting = undefined;
    base.handleCommandComplete.call(this, message);
  }

  protected handleReadyForQuery(): void {
    this.giveBack();
    base.handleReadyForQuery.call(this);
  }

  /** After an error pg tells nothing of the end of the statement. */
  protected handleError(error: Error): void {
    this.giveBack();
    if (!this.isComplete) this.failure ??= error;
    this.waiting?.reject(error);
    this.waiting = undefined;
    base.handleError.call(this, error);
  }

  private giveBack(): void {
    const { pg, stream } = this;
    if (!pg || !stream) return;
    this.pg = undefined;
    stream.on('data', pg);
    stream.off('data', this.take);
    stream.resume();
  }

  /** Asks for a step. The first ones are short, so that the first lines come soon. */
  private ask(): void {
    const { connection, _portal: portal } = this.own;
    connection!.stream.cork();
    connection!.execute({ portal, rows: this.rowsOfStep }, true);
    connection!.flush();
    connection!.stream.uncork();
    this.rowsOfStep = Math.min(this.rowsOfStep * 4 + 1, Math.max(1, Math.floor(BYTES_AT_ONCE / this.longest)));
  }

  private received(chunk: Buffer): void {
    const pg = this.pg!;
    let bytes = chunk;
    // Only the message that was cut in two is copied.
    while (this.begunBytes > 0) {
      const missing = this.neededBytes - this.begunBytes;
      this.begun.push(bytes.subarray(0, missing));
      this.begunBytes += Math.min(missing, bytes.length);
      bytes = bytes.subarray(missing);
      if (this.begunBytes < this.neededBytes) return;
      const message = Buffer.concat(this.begun);
      this.begunBytes = 0;
      this.begin(message);
      if (this.begunBytes === 0) this.messages(message, pg);
    }
    const rest = bytes.subarray(this.messages(bytes, pg));
    if (rest.length === 0) return;
    // If it has been given back, the rest of what came is not for this statement.
    if (this.pg) this.begin(rest);
    else pg(rest);
  }

  /** Keeps the beginning of a message until its end comes. Nothing is kept of a whole one. */
  private begin(bytes: Buffer): void {
    const needed = bytes.length < HEADER ? HEADER : 1 + bytes.readUInt32BE(1);
    if (bytes.length >= needed) return;
    this.begun = [bytes];
    this.begunBytes = bytes.length;
    this.neededBytes = needed;
  }

  /** Takes whole messages, until it has been given back. @returns the position after them */
  private messages(bytes: Buffer, pg: Listener): number {
    let at = 0;
    while (this.pg && bytes.length - at >= HEADER) {
      const after = at + 1 + bytes.readUInt32BE(at + 1);
      if (after > bytes.length) break;
      if (bytes[at] === DATA_ROW) this.row(bytes, at + HEADER, after);
      else pg(bytes.subarray(at, after));
      at = after;
    }
    return at;
  }

  private row(bytes: Buffer, at: number, after: number): void {
    if (this.isClosing) return;
    const most = this.writer!.most(after - at);
    if (this.filled + most > this.part.length) {
      this.handOver();
      // Not of the pool, in which a part would keep what others have.
      this.part = Buffer.allocUnsafeSlow(Math.max(PART_BYTES, most));
    }
    const start = this.filled;
    this.filled = this.writer!.write(bytes, at, this.part, start);
    this.longest = Math.max(this.longest, this.filled - start);
  }

  private handOver(): void {
    const { part, filled } = this;
    if (filled === 0) return;
    // A short part would keep the memory of a long one.
    const isFull = filled > part.length / 2;
    const lines = isFull ? part.subarray(0, filled) : Buffer.from(part.subarray(0, filled));
    if (isFull || part.length > PART_BYTES) this.part = NOTHING;
    this.filled = 0;
    this.stream!.pause();
    if (!this.waiting) {
      this.ready.push(lines);
      return;
    }
    this.waiting.resolve(lines);
    this.waiting = undefined;
  }
}
