import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { DomainError, invalid } from './errors.js';

export const BODY_LIMIT = 1024 * 1024;
export const MAX_NESTING = 32;

const malformed = (what: string): DomainError => new DomainError('validation', `The body ${what}`);

/**
 * Value of a JSON body. Stricter than Fastify's own parser, which replaces bytes that are no UTF-8 and keeps one of two
 * values of the same name, and so would store something else than was sent.
 * @throws DomainError validation
 */
export function parseJson(bytes: Buffer): unknown {
  // Clients send a media type without a body, on DELETE above all.
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

// A name with its colon, another string (which may hold what looks like the rest), or the end of an object.
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/gs;

/** The first name that an object in this JSON has twice. */
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
 * Refuses a body that says of itself that it is not plain UTF-8. Taken as if it were, a compressed one would be called
 * malformed, and a text in another charset that happens to be UTF-8 as well would be stored as another text.
 * @throws DomainError unsupportedMediaType
 */
export function assertPlain({
  'content-encoding': encoding = 'identity',
  'content-type': type = '',
}: IncomingHttpHeaders): void {
  if (encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupportedMediaType', 'The body must be sent without a Content-Encoding', {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  for (const [, name, quoted, plain] of type.matchAll(PARAMETERS)) {
    if (name!.toLowerCase() === 'charset' && !/^utf-?8$/i.test(quoted ?? plain!.trim())) {
      throw new DomainError('unsupportedMediaType', 'The body must be sent as application/json in UTF-8');
    }
  }
}

/** Takes `application/json` bodies and no others. */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if (body.length > 0) assertPlain(request.headers);
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}
