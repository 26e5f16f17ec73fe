import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../errors.js';

/** Bytes of a block. */
export const BLOCK = 256 * 1024;

// The share of the blocks that one caller may have.
const SHARE_OF_A_CALLER = 1 / 2;

/** Timeout, in milliseconds, of waiting for a client to read a block. */
const ROOM_TIMEOUT = 8_000;

const NO_ROOM = 'Too many long responses are being sent at the moment. Try again shortly, or ask for shorter pages';
const NO_DISK =
  'The folder for temporary files of the service is full or cannot be written. Long responses have to wait';

interface Waiting {
  caller: string;
  start(): void;
}

/**
 * A temporary file without a name, divided into blocks. A block belongs to one response from its writing until its client has it. Then
 * it is reused. The operating system removes the file with the process.
 */
export class SpoolFile {
  private opening?: Promise<FileHandle>;
  private readonly free: number[] = [];
  private length = 0;
  private readonly usedBy = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();
  /** Maximum number of blocks. */
  readonly most: number;
  private readonly mostOfACaller: number;

  /** @param limit in bytes */
  constructor(
    limit: number,
    private readonly folder = tmpdir(),
    private readonly roomTimeout = ROOM_TIMEOUT,
  ) {
    this.most = Math.max(2, Math.floor(limit / BLOCK));
    this.mostOfACaller = Math.max(1, Math.floor(this.most * SHARE_OF_A_CALLER));
  }

  /** Number of blocks that responses have. */
  get used(): number {
    return this.length - this.free.length;
  }

  /** Number of responses that wait for room. */
  get pending(): number {
    return this.waiting.size;
  }

  /**
   * Writes a block.
   * @param waitsForRoom whether to wait for room
   * @returns its number
   * @throws DomainError unavailable
   */
  async write(caller: string, block: Buffer, waitsForRoom: boolean): Promise<number> {
    if (!this.hasRoomFor(caller)) {
      if (!waitsForRoom) throw new Unavailable(NO_ROOM);
      await this.room(caller);
    }
    const number = this.take(caller);
    try {
      const file = await (this.opening ??= this.open());
      let written = 0;
      while (written < block.length) {
        const { bytesWritten } = await file.write(block, written, block.length - written, number * BLOCK + written);
        written += bytesWritten;
      }
      return number;
    } catch (error) {
      this.release(caller, number);
      throw Object.assign(new Unavailable(NO_DISK, 30), { cause: error });
    }
  }

  /** Reads a block of this many bytes, and gives it back. */
  async read(caller: string, number: number, length: number): Promise<Buffer> {
    try {
      const file = await this.opening!;
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, number * BLOCK);
      if (bytesRead < length) throw new Error('The temporary file has become shorter');
      return buffer;
    } finally {
      this.release(caller, number);
    }
  }

  release(caller: string, number: number): void {
    this.free.push(number);
    const left = this.usedBy.get(caller)! - 1;
    if (left > 0) this.usedBy.set(caller, left);
    else this.usedBy.delete(caller);
    for (const waiting of this.waiting) {
      if (!this.hasRoomFor(waiting.caller)) continue;
      this.waiting.delete(waiting);
      waiting.start();
      return;
    }
    if (this.used === 0) this.shrink();
  }

  private hasRoomFor(caller: string): boolean {
    return this.used < this.most && (this.usedBy.get(caller) ?? 0) < this.mostOfACaller;
  }

  private take(caller: string): number {
    this.usedBy.set(caller, (this.usedBy.get(caller) ?? 0) + 1);
    return this.free.pop() ?? this.length++;
  }

  private async room(caller: string): Promise<void> {
    do {
      await new Promise<void>((resolve, reject) => {
        const waiting = {
          caller,
          start: () => {
            clearTimeout(timer);
            resolve();
          },
        };
        const timer = setTimeout(() => {
          this.waiting.delete(waiting);
          reject(new Unavailable(NO_ROOM));
        }, this.roomTimeout);
        this.waiting.add(waiting);
      });
      // Another response may have taken the free block.
    } while (!this.hasRoomFor(caller));
  }

  private async open(): Promise<FileHandle> {
    const path = join(this.folder, `inventory-${randomUUID()}`);
    try {
      const file = await open(path, 'wx+', 0o600);
      await unlink(path);
      return file;
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }

  /** Gives the disk space back. */
  private shrink(): void {
    this.free.length = 0;
    this.length = 0;
    const file = this.opening;
    this.opening = undefined;
    // Nothing is left of a closed file, because it has no name. The next block goes to a new file.
    file?.then((each) => each.close()).catch(() => {});
  }
}
