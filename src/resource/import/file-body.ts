import { askForBody } from '../../http/server/client-connections.js';
import { isUtf8 } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError, Unavailable } from '../../http/errors.js';
import type { BodySpace, ReservedSpace } from '../../http/body-space.js';
import { whenFinished } from '../../http/finished.js';
import { assertUtf8, BODY_LIMIT, bodyTooLarge, MIB, Pieces, refusedType } from '../../http/json-body.js';
import { malformed } from '../../http/json-scanner.js';

const FILE_TYPES = ['text/csv', 'application/x-ndjson', 'application/yaml'] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** Media types of files of rows. */
export const ROW_FILE_TYPES: readonly FileType[] = ['text/csv', 'application/x-ndjson'];

/** Bytes of a file. */
export const FILE_LIMIT = 64 * MIB;

// Parsing this many bytes takes a few milliseconds.
const CHUNK = 32 * 1024;

/**
 * A body that was written to a temporary file while it arrived. It is never in memory as a whole, and a slow client does not prolong
 * the transaction that reads it. The file has no name, so it disappears with its handle, even if the process is killed.
 */
export class FileBody {
  constructor(
    readonly type: FileType,
    private readonly file: FileHandle,
    private readonly digest: string,
    private readonly reserved: ReservedSpace,
  ) {}

  private isClosed = false;

  /** Reads the body from its start. May be called repeatedly. @throws DomainError if the client has disconnected */
  async *chunks(): AsyncGenerator<Buffer> {
    for (let position = 0; ;) {
      if (this.isClosed) throw new DomainError('validation', 'The client has disconnected');
      const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** Stands for the body where requests are compared. */
  toJSON(): object {
    return { type: this.type, sha256: this.digest };
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.reserved.release();
    return this.file.close();
  }
}

/**
 * Accepts files on the routes that take them. Everything else but JSON is refused.
 * @param space in the folder for temporary files
 * @param callerOf returns the key by which the space is shared
 */
export function acceptFiles(
  fastify: FastifyInstance,
  space: BodySpace,
  callerOf: (request: FastifyRequest) => string,
): void {
  for (const type of FILE_TYPES) {
    fastify.addContentTypeParser(type, async (request: FastifyRequest, payload: Readable) => {
      if (!request.routeOptions.config.takesFile?.includes(type)) throw refusedType(request);
      assertUtf8(request.headers, type);
      return receive(type, request, payload, space.reserve(callerOf(request)));
    });
  }
  fastify.addContentTypeParser('*', (request, _payload, done) => done(refusedType(request)));
  // Fastify has no hook for a client that disconnects after it has sent its whole body.
  fastify.addHook('preValidation', async ({ body }, reply) => {
    if (body instanceof FileBody) whenFinished(reply, () => void body.close());
  });
}

async function receive(
  type: FileType,
  request: FastifyRequest,
  payload: Readable,
  reserved: ReservedSpace,
): Promise<FileBody> {
  const limit = request.routeOptions.bodyLimit ?? BODY_LIMIT;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit);
  const path = join(tmpdir(), `inventory-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600).catch(refuseFullFolder);
  try {
    await unlink(path);
    const hash = createHash('sha256');
    const pieces = new Pieces();
    let size = 0;
    let tail: Buffer = Buffer.alloc(0);
    askForBody(request.raw);
    // The connection is still needed for the response if this fails.
    for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      pieces.add(chunk.length);
      size += chunk.length;
      if (size > limit) throw bodyTooLarge(limit);
      reserved.grow(chunk.length);
      hash.update(chunk);
      const text = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk;
      const end = completeUntil(text);
      if (!isUtf8(text.subarray(0, end))) throw malformed('is not valid UTF-8');
      tail = text.subarray(end);
      await file.write(chunk).catch(refuseFullFolder);
    }
    if (tail.length > 0) throw malformed('is not valid UTF-8');
    return new FileBody(type, file, hash.digest('base64url'), reserved);
  } catch (error) {
    reserved.release();
    await file.close();
    throw error;
  }
}

/** @throws Unavailable if there is no space for temporary files, which is no fault of the request */
function refuseFullFolder(error: NodeJS.ErrnoException): never {
  if (!['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'].includes(error.code ?? '')) throw error;
  throw new Unavailable(
    'The service cannot store the file at the moment, because its folder for temporary files is full',
    30,
  );
}

/** The start of an incomplete last character in a text; the length of the text if it is complete. */
function completeUntil(text: Buffer): number {
  for (let back = 1; back <= Math.min(3, text.length); back++) {
    const byte = text[text.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? text.length - back : text.length;
  }
  return text.length;
}
