import type { Socket } from 'node:net';
import Cursor from 'pg-cursor';

/** The texts of a row's columns, as they come from the database. */
export type Texts = readonly (string | null)[];

// Bytes of rows after which a read ends early, because rows may be much longer than the ones before.
const MOST_BYTES = 1024 * 1024;

/** The internal state of `pg-cursor` for one read, with its callback. */
interface Internals<R> {
  connection: { stream: Socket } | null;
  state: string;
  _rows: R[];
  _cb: ((error: Error | null, rows: R[]) => void) | null;
}

const internals = <R>(cursor: Cursor<R>): Internals<R> => cursor as unknown as Internals<R>;
const base = Cursor.prototype as unknown as {
  _sendRows(): void;
  handleCommandComplete(message: unknown): void;
};

/**
 * A cursor that makes each row from the texts of its columns by one function. pg would parse every column by its type, make an
 * object and emit an event for each row, which on long lists is most of the work of the process.
 */
export class TextCursor<R> extends Cursor<R> {
  private isComplete = false;
  private bytes = 0;
  // The rest of the requested rows waits in the socket.
  private isPaused = false;
  // It arrived together with rows that are already read.
  private hasRest = false;
  private isClosing = false;

  constructor(
    text: string,
    values: unknown[],
    private readonly of: (texts: Texts) => R,
  ) {
    super(text, values);
  }

  /** Whether the last row was read. */
  get isOver(): boolean {
    return this.isComplete && !this.isPaused;
  }

  /** Reads up to `count` rows; fewer if they are long, or if there are no more. */
  readSome(count: number): Promise<R[]> {
    this.bytes = 0;
    if (!this.isPaused) return this.read(count);
    this.isPaused = false;
    const own = internals(this);
    return new Promise((resolve, reject) => {
      own._cb = (error, rows) => (error ? reject(error) : resolve(rows));
      own.connection!.stream.resume();
      if (!this.hasRest) return;
      this.hasRest = false;
      const { state } = own;
      base._sendRows.call(this);
      own.state = state === 'done' ? state : 'idle';
    });
  }

  /** Ends the reading, also in the middle of a read. */
  async stop(): Promise<void> {
    this.isClosing = true;
    if (this.isPaused) internals(this).connection!.stream.resume();
    this.isPaused = false;
    await this.close();
  }

  /** Called by pg for each row. */
  protected handleDataRow({ fields, length }: { fields: Texts; length: number }): void {
    if (this.isClosing) return;
    const own = internals(this);
    own._rows.push(this.of(fields));
    this.bytes += length;
    const { _cb: done, _rows: rows } = own;
    if (this.bytes < MOST_BYTES || !done) return;
    this.isPaused = true;
    own.connection!.stream.pause();
    own._cb = null;
    own._rows = [];
    setImmediate(() => done(null, rows));
  }

  protected handleCommandComplete(message: unknown): void {
    this.isComplete = true;
    base.handleCommandComplete.call(this, message);
  }

  protected _sendRows(): void {
    if (this.isPaused) this.hasRest = true;
    else base._sendRows.call(this);
  }
}
