import { Duplex } from 'node:stream';
import { frontendMessage, type PgliteSession } from './pglite-session.js';

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

// Sent after each statement. PostgreSQL ignores it, except after a COPY FROM STDIN, which would otherwise read past the end of
// the input and report a lost connection.
const COPY_FAIL = frontendMessage('f', 'The embedded database does not support COPY FROM STDIN\0');

const type = (letter: string): number => letter.charCodeAt(0);
const [QUERY, EXECUTE, SYNC, FLUSH, TERMINATE] = ['Q', 'E', 'S', 'H', 'X'].map(type);
const COPY_MESSAGES = ['d', 'c', 'f'].map(type);

/**
 * A stream that `pg` uses in place of a socket: wire protocol bytes go to the session instead of a network. Create one per client
 * in pg's option `stream`. A client waits in `connect` until the previous one has disconnected.
 */
export class PgliteStream extends Duplex {
  private pending: Buffer = Buffer.alloc(0);
  private batch: Buffer[] = [];
  private release?: () => void;
  private working: Promise<void> = Promise.resolve();

  constructor(private readonly session: PgliteSession) {
    super();
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {
    // Responses are pushed as soon as they exist.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.work(chunk, callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    // pg corks the messages of a prepared statement, so they arrive together.
    this.work(Buffer.concat(chunks.map(({ chunk }) => chunk)), callback);
  }

  override _final(callback: () => void): void {
    callback();
    this.destroy();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // A running statement cannot be cancelled. The session is free when it ends.
    void this.working.then(() => this.release?.());
    callback(error);
  }

  private work(bytes: Buffer, callback: (error?: Error | null) => void): void {
    this.working = this.receive(bytes).then(() => callback(), callback);
  }

  /** Takes the bytes of a write: complete messages, parts of one, or several. */
  private async receive(bytes: Buffer): Promise<void> {
    this.pending = this.pending.length === 0 ? bytes : Buffer.concat([this.pending, bytes]);
    while (!this.destroyed) {
      const started = this.release !== undefined;
      const typeLength = started ? 1 : 0;
      if (this.pending.length < typeLength + 4) return;
      const end = typeLength + this.pending.readInt32BE(typeLength);
      if (this.pending.length < end) return;
      const message = this.pending.subarray(0, end);
      this.pending = this.pending.subarray(end);
      await (started ? this.accept(message) : this.startUp(message));
    }
  }

  /** The messages before a session starts. They have no type, only a length and a code. */
  private async startUp(message: Buffer): Promise<void> {
    const code = message.readInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_REQUEST) {
      this.push('N');
    } else if (code === CANCEL_REQUEST) {
      // Statements run in this thread, so none is running when this arrives.
      this.destroy();
    } else {
      this.release = await this.session.take();
      await this.run(message);
    }
  }

  private async accept(message: Buffer): Promise<void> {
    const [kind] = message;
    if (kind === TERMINATE) {
      this.destroy();
      return;
    }
    if (COPY_MESSAGES.includes(kind)) return;
    this.batch.push(message);
    if (kind === QUERY || kind === EXECUTE) this.batch.push(COPY_FAIL);
    if (kind === QUERY || kind === SYNC || kind === FLUSH) {
      const batch = Buffer.concat(this.batch);
      this.batch = [];
      await this.run(batch);
    }
  }

  private async run(messages: Buffer): Promise<void> {
    const answer = await this.session.execute(messages);
    if (!this.destroyed) this.push(answer);
  }
}
