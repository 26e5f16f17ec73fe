import { askForBody } from './server/client-connections.js';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodySpace, ReservedSpace } from './body-space.js';
import { DomainError } from './errors.js';
import { betweenTurns } from './event-loop.js';
import { FairQueue } from './fair-queue.js';
import { whenFinished } from './finished.js';
import { JsonScanner, malformed } from './json-scanner.js';

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const BODY_LIMIT = MIB;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Most bytes of the route's body, if not `BODY_LIMIT`. */
    bodyLimit?: number;
    /** Most values of the route's JSON body, if not `MAX_VALUES`. */
    bodyValues?: number;
    /** The body is a file of one of these media types, not JSON. */
    takesFile?: readonly string[];
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Applies the body limits that routes declare. Must run before the routes are registered. */
export function limitBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.config?.bodyLimit !== undefined) route.bodyLimit = route.config.bodyLimit;
  });
}

export const bodyTooLarge = (limit = BODY_LIMIT): DomainError =>
  new DomainError(
    'body_too_large',
    `The body is larger than ${limit < MIB ? `${limit / KIB} KiB` : `${limit / MIB} MiB`}`,
  );

/** The refusal of another body where a file is expected. */
export const notAFile = (types: readonly string[]): DomainError =>
  new DomainError(
    'unsupported_media_type',
    `The body must be sent as ${types.slice(0, -1).join(', ')} or ${types.at(-1)!}`,
  );

/** Number of chunks that may have any size, and the mean number of bytes required of further chunks. */
const SMALL_PIECES = 64;
const BYTES_OF_A_PIECE = 16;

/** Counts the chunks of a body. A tiny chunk costs as much as one of 64 KiB. */
export class Pieces {
  private count = 0;
  private bytes = 0;

  /** @throws DomainError validation if the pieces are too small */
  add(length: number): void {
    this.count++;
    this.bytes += length;
    if (this.count > SMALL_PIECES + this.bytes / BYTES_OF_A_PIECE) throw malformed('was sent in too many small chunks');
  }
}

/**
 * Parses a JSON body. Stricter than Fastify's own parser, which replaces invalid UTF-8 and keeps only the last of two values of
 * the same name, so that something else than the request's data would be stored.
 * @throws DomainError validation
 */
export function parseJson(bytes: Buffer): unknown {
  new JsonScanner().scan(bytes);
  return parseScanned(bytes);
}

function parseScanned(bytes: Buffer): unknown {
  // Clients send a media type without a body, mostly on DELETE.
  return bytes.length === 0 ? undefined : valueOf(decode(bytes));
}

// One after the other, because each takes time.
const queue = new FairQueue(1);

/**
 * The same for a large body. Parsing 16 MiB blocks the event loop for a tenth of a second. The next large body waits as long again, so
 * that other requests are served.
 */
const parseLarge = (caller: string, pieces: readonly Buffer[]): Promise<unknown> =>
  queue.run(caller, async () => {
    const text = await decodeInTurns(pieces);
    const began = performance.now();
    const value = valueOf(text);
    await setTimeout(performance.now() - began);
    return value;
  });

async function decodeInTurns(pieces: readonly Buffer[]): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const texts: string[] = [];
  const turn = betweenTurns();
  for (const piece of pieces) {
    texts.push(textOf(() => decoder.decode(piece, { stream: true })));
    await turn();
  }
  texts.push(textOf(() => decoder.decode()));
  await setImmediate();
  return texts.join('');
}

const decode = (bytes: Buffer): string => textOf(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));

/** @throws DomainError validation if the decoder refuses the bytes */
function textOf(decoded: () => string): string {
  try {
    return decoded();
  } catch {
    throw malformed('is not valid UTF-8');
  }
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8's message ends with an excerpt of the body, which may hold a secret.
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    throw malformed(`is not valid JSON${position === undefined ? '' : ` (at position ${position})`}`);
  }
}

const PARAMETERS = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/**
 * Refuses a body that declares an encoding other than plain UTF-8. Otherwise a compressed body would be reported as malformed,
 * and a text in another charset that happens to be valid UTF-8 would be stored wrongly.
 * @throws DomainError unsupported_media_type
 */
export function assertUtf8(
  { 'content-encoding': encoding = 'identity', 'content-type': type = '' }: IncomingHttpHeaders,
  expected = 'application/json',
): void {
  if (encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'The body must be sent without a Content-Encoding', {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  for (const [, name, quoted, plain] of type.matchAll(PARAMETERS)) {
    if (name!.toLowerCase() === 'charset' && !/^utf-?8$/i.test(quoted ?? plain!.trim())) {
      throw new DomainError('unsupported_media_type', `The body must be sent as ${expected} in UTF-8`);
    }
  }
}

/** Media types of the body of a PATCH. Both mean the same: properties that are sent are changed, and null clears a value (RFC 7396). */
const PATCH_TYPES = ['application/json', 'application/merge-patch+json'];

/** The header that tells which bodies a PATCH takes (RFC 5789). */
export const ACCEPT_PATCH = { 'accept-patch': PATCH_TYPES.join(', ') };

const isMergePatch = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.split(';')[0]!.trim().toLowerCase() === PATCH_TYPES[1];

/** The refusal of a body of a media type that the route does not take. */
export function refusedType({ routeOptions: { config } }: FastifyRequest): DomainError {
  return config.takesFile ? notAFile(config.takesFile) : new DomainError('unsupported_media_type');
}

const RESERVED = Symbol('reserved space');
type BodyRequest = FastifyRequest & { [RESERVED]?: ReservedSpace };

/**
 * Accepts JSON bodies, on all routes but those that take files.
 * @param callerOf returns the key by which the memory is shared, and large bodies take turns
 */
export function acceptJson(
  fastify: FastifyInstance,
  memory: BodySpace,
  callerOf: (request: FastifyRequest) => string,
): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(PATCH_TYPES, (request: BodyRequest, payload: Readable, done) => {
    if (request.method !== 'PATCH' && isMergePatch(request)) {
      done(refusedType(request));
      return;
    }
    const caller = callerOf(request);
    const reserved = memory.reserve(caller);
    const refuse = (error: Error): void => {
      reserved.release();
      done(error);
    };
    const accept = (value: unknown): void => {
      request[RESERVED] = reserved;
      done(null, value);
    };
    receive(request, payload, reserved, refuse, (pieces, size) => {
      if (size > BODY_LIMIT) {
        parseLarge(caller, pieces).then(accept, refuse);
        return;
      }
      let value: unknown;
      try {
        value = parseScanned(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size));
      } catch (error) {
        refuse(error as Error);
        return;
      }
      accept(value);
    });
  });
  fastify.addHook('preValidation', (request: BodyRequest, reply, done) => {
    const { [RESERVED]: reserved } = request;
    if (reserved) whenFinished(reply, () => reserved.release());
    done();
  });
}

/** Reads a body. It is refused as soon as the first faulty byte has arrived. The rest of it is discarded. */
function receive(
  { headers, raw, routeOptions: { bodyLimit: limit = BODY_LIMIT, config } }: FastifyRequest,
  payload: Readable,
  reserved: ReservedSpace,
  refuse: (error: Error) => void,
  accept: (pieces: readonly Buffer[], size: number) => void,
): void {
  if (config.takesFile) {
    refuse(notAFile(config.takesFile));
    return;
  }
  const declared = Number(headers['content-length'] ?? 0);
  try {
    if (declared > limit) throw bodyTooLarge(limit);
    // Reserved before reading, so that nothing is read of a body for which there is no space.
    reserved.grow(declared);
  } catch (error) {
    refuse(error as Error);
    return;
  }
  askForBody(raw);
  const scanner = new JsonScanner(config.bodyValues);
  const pieces = new Pieces();
  const received: Buffer[] = [];
  let size = 0;
  const stop = (): void => void payload.off('data', onData).off('end', onEnd).off('error', onError);
  const onError = (error: Error): void => {
    stop();
    refuse(error);
  };
  const onData = (chunk: Buffer): void => {
    try {
      if (size === 0) assertUtf8(headers);
      pieces.add(chunk.length);
      if (size + chunk.length > limit) throw bodyTooLarge(limit);
      if (declared === 0) reserved.grow(chunk.length);
      scanner.scan(chunk);
      size += chunk.length;
      // A copy, because a small slice would keep the whole buffer in memory.
      received.push(2 * chunk.length < chunk.buffer.byteLength ? Buffer.from(chunk) : chunk);
    } catch (error) {
      onError(error as Error);
    }
  };
  const onEnd = (): void => {
    stop();
    accept(received, size);
  };
  payload.on('data', onData).on('end', onEnd).on('error', onError);
}
