import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { DomainError, invalid } from './errors.js';

export const MIB = 1024 * 1024;
export const BODY_LIMIT = MIB;
export const MAX_NESTING = 32;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Most bytes of the route's body, if not `BODY_LIMIT`. */
    bodyLimit?: number;
    /** The body is a file of one of these media types, not JSON. */
    takesFile?: readonly string[];
  }
}

/** Whether a JSON value is an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Gives routes that declare a limit of their own for their bodies that limit. Must run before they are registered. */
export function limitBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.config?.bodyLimit !== undefined) route.bodyLimit = route.config.bodyLimit;
  });
}

export const bodyTooLarge = (limit = BODY_LIMIT): DomainError =>
  new DomainError('bodyTooLarge', `The body is larger than ${limit / MIB} MiB`);

/** The refusal of another body where a file is expected. */
export const notAFile = (types: readonly string[]): DomainError =>
  new DomainError(
    'unsupportedMediaType',
    `The body must be sent as ${types.slice(0, -1).join(', ')} or ${types.at(-1)!}`,
  );

const malformed = (what: string): DomainError => new DomainError('validation', `The body ${what}`);

/**
 * Parses a JSON body. Stricter than Fastify's own parser, which replaces invalid UTF-8 and keeps only the last of two values of
 * the same name, so that something else than the request's data would be stored.
 * @throws DomainError validation
 */
export function parseJson(bytes: Buffer): unknown {
  // Clients send a media type without a body, mostly on DELETE.
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('is not valid UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // V8's message ends with an excerpt of the body, which may hold a secret.
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    throw malformed(`is not valid JSON${position === undefined ? '' : ` (at position ${position})`}`);
  }
  assertShallow(value, MAX_NESTING);
  const twice = repeatedName(text);
  if (twice !== undefined) throw invalid(twice, 'is given twice');
  return value;
}

function assertShallow(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) throw malformed(`is nested deeper than ${MAX_NESTING} levels`);
  for (const entry of Object.values(value)) assertShallow(entry, levels - 1);
}

// A name with its colon, another string (whose contents must not be scanned), or the start or end of an object.
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/gs;

/** The first name that occurs twice in an object. */
function repeatedName(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, string, colon] of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      // `"a"` and `"\u0061"` are the same name.
      const name = JSON.parse(string!) as string;
      const names = open.at(-1)!;
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}

const PARAMETERS = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/**
 * Refuses a body that declares an encoding other than plain UTF-8. Otherwise a compressed body would be reported as malformed,
 * and a text in another charset that happens to be valid UTF-8 would be stored wrongly.
 * @throws DomainError unsupportedMediaType
 */
export function assertPlain(
  { 'content-encoding': encoding = 'identity', 'content-type': type = '' }: IncomingHttpHeaders,
  expected = 'application/json',
): void {
  if (encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupportedMediaType', 'The body must be sent without a Content-Encoding', {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  for (const [, name, quoted, plain] of type.matchAll(PARAMETERS)) {
    if (name!.toLowerCase() === 'charset' && !/^utf-?8$/i.test(quoted ?? plain!.trim())) {
      throw new DomainError('unsupportedMediaType', `The body must be sent as ${expected} in UTF-8`);
    }
  }
}

/** Accepts JSON bodies, on all routes but those that take files. */
export function acceptJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      const { takesFile } = request.routeOptions.config;
      if (takesFile) throw notAFile(takesFile);
      if (body.length > 0) assertPlain(request.headers);
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}
