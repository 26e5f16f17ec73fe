import { Readable } from 'node:stream';
import { BLOCK, type SpoolFile } from './spool-file.js';

const encoder = new TextEncoder();

interface Block {
  number: number;
  length: number;
}

/** The body of a response, which is written to a file and read from it at the same time. */
export class SpooledBody extends Readable {
  private readonly blocks: Block[] = [];
  /** The block that is being filled, and how many bytes it has. */
  private next = Buffer.allocUnsafe(BLOCK);
  private filled = 0;
  private isComplete = false;
  private isWanted = false;
  private isReading = false;

  constructor(
    private readonly file: SpoolFile,
    private readonly caller: string,
    private readonly texts: AsyncGenerator<string>,
    private readonly waitsForRoom: boolean,
  ) {
    super({ highWaterMark: BLOCK });
  }

  /** Writes the first text, and then all others while the client reads. @throws DomainError unavailable */
  async begin(text: string): Promise<void> {
    await this.write(text, false);
    void this.fill();
  }

  /** Writes all texts. @throws DomainError unavailable, and the errors of the texts */
  async complete(text: string): Promise<void> {
    try {
      await this.write(text, false);
      for await (const next of this.texts) await this.write(next, this.waitsForRoom);
      this.isComplete = true;
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  override _read(): void {
    this.isWanted = true;
    void this.serve();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.dropBlocks();
    // Stops the query at its next batch.
    this.texts.return(undefined).catch(() => {});
    callback(error);
  }

  private async fill(): Promise<void> {
    try {
      for await (const text of this.texts) {
        if (this.destroyed) return;
        await this.write(text, this.waitsForRoom);
      }
      this.isComplete = true;
      void this.serve();
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  /** Writes whole blocks. The rest waits for the next text. */
  private async write(text: string, waitsForRoom: boolean): Promise<void> {
    let at = 0;
    while (at < text.length && !this.destroyed) {
      // A multi-byte character that does not fit begins the next block.
      const { read, written } = encoder.encodeInto(text.slice(at), this.next.subarray(this.filled));
      at += read;
      this.filled += written;
      if (at < text.length || this.filled === BLOCK) await this.endBlock(waitsForRoom);
    }
  }

  /** Gives the filled block to the client if it waits for one, and writes it to the file otherwise. */
  private async endBlock(waitsForRoom: boolean): Promise<void> {
    const length = this.filled;
    this.filled = 0;
    if (this.isWanted && !this.isReading && this.blocks.length === 0) {
      this.isWanted = false;
      const block = this.next.subarray(0, length);
      this.next = Buffer.allocUnsafe(BLOCK);
      this.push(block);
      return;
    }
    const number = await this.file.write(this.caller, this.next.subarray(0, length), waitsForRoom);
    this.blocks.push({ number, length });
    if (this.destroyed) this.dropBlocks();
    else void this.serve();
  }

  /** Gives the client the next block, as soon as it asks and a block is ready. */
  private async serve(): Promise<void> {
    if (!this.isWanted || this.isReading || this.destroyed) return;
    const block = this.blocks.shift();
    if (!block) {
      if (!this.isComplete) return;
      this.isWanted = false;
      if (this.filled > 0) this.push(this.next.subarray(0, this.filled));
      this.push(null);
      return;
    }
    this.isWanted = false;
    this.isReading = true;
    try {
      const bytes = await this.file.read(this.caller, block.number, block.length);
      this.isReading = false;
      if (!this.destroyed) this.push(bytes);
    } catch (error) {
      this.destroy(error as Error);
    }
    void this.serve();
  }

  private dropBlocks(): void {
    for (const { number } of this.blocks.splice(0)) this.file.release(this.caller, number);
  }
}
