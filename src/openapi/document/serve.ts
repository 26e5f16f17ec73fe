import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ValidationFailed } from '../../http/errors.js';
import { JSON_TYPE, matches } from '../../http/replies.js';
import { buildDocument } from './build.js';
import { parseSlimming, slimmed } from './slim.js';
import { toOpenApi30 } from './to-3.0.js';

const PAGE = join(__dirname, 'ui');
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

const SCRIPT = 'text/javascript; charset=utf-8';
const SCRIPTS = [
  'docs.js',
  'curl.js',
  'operators.js',
  'picture.js',
  'records.js',
  'resolve.js',
  'search.js',
  'session.js',
];

/** Files of Swagger UI: directory and media type. The page and its scripts are our own. */
const FILES: Record<string, readonly [directory: string, type: string]> = {
  ...Object.fromEntries(SCRIPTS.map((name) => [name, [PAGE, SCRIPT]])),
  'docs.css': [PAGE, 'text/css; charset=utf-8'],
  'swagger-ui.css': [SWAGGER_UI, 'text/css; charset=utf-8'],
  'swagger-ui-bundle.js': [SWAGGER_UI, SCRIPT],
  'favicon-32x32.png': [SWAGGER_UI, 'image/png'],
};

/** The ways to log in that the page offers besides a token. */
export interface LoginWays {
  password: boolean;
  /** Text of the link to single sign-on; undefined if it is not configured. */
  singleSignOn?: string;
}

/** Serves `/openapi.json`, the same in OpenAPI 3.0 at `/openapi-3.0.json`, and Swagger UI at `/docs`, where `/` leads. */
export function serveDocument(app: NestFastifyApplication, ways: LoginWays, publicUrl?: string): void {
  let document: OpenAPIObject | undefined;
  const get = (): OpenAPIObject => (document ??= buildDocument(app, publicUrl));
  const part = (whole: OpenAPIObject, query: Query): OpenAPIObject => {
    const slimming = parseSlimming(whole, query);
    return Object.keys(query).length === 0 ? whole : slimmed(whole, slimming);
  };
  serve(app, '/openapi.json', JSON_TYPE, (query) => JSON.stringify(part(get(), query)));
  serve(app, '/openapi-3.0.json', JSON_TYPE, (query) =>
    // OpenAPI 3.0 has no webhooks.
    JSON.stringify(toOpenApi30(part({ ...get(), webhooks: undefined }, query))),
  );
  app
    .getHttpAdapter()
    .getInstance()
    .get('/', (_request, reply) => reply.redirect('/docs', 302));
  serve(app, '/docs', 'text/html; charset=utf-8', () => pageWith(ways));
  for (const [name, [directory, type]] of Object.entries(FILES)) {
    serve(app, `/docs/${name}`, type, () => readFileSync(join(directory, name)));
  }
}

/** The page without the ways to log in that are not available: `data-if` names the way that an element belongs to. */
function pageWith({ password, singleSignOn }: LoginWays): string {
  const offered: Record<string, boolean> = { password, 'single-sign-on': singleSignOn !== undefined };
  return readFileSync(join(PAGE, 'index.html'), 'utf8')
    .replaceAll(/\n *<(\w+) data-if="([\w-]+)"[^]*?<\/\1>/g, (element, _name, way: string) =>
      offered[way] ? element.replace(` data-if="${way}"`, '') : '',
    )
    .replace('{label}', () => escapeHtml(singleSignOn ?? ''));
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);

type Query = Record<string, string | string[]>;

interface Served {
  plain: Buffer;
  gzip: Buffer;
  digest: string;
}

/**
 * Serves the result of `make`, which is made and compressed at the first request, and kept.
 * @param make takes the query string if it has a parameter, and then throws for all but a few
 */
function serve(app: NestFastifyApplication, path: string, type: string, make: (query: Query) => string | Buffer): void {
  const takesQuery = make.length > 0;
  const kept = new Map<string, Served>();
  const servedFor = (query: Query): Served => {
    const key = JSON.stringify(Object.entries(query).toSorted());
    let served = kept.get(key);
    if (!served) {
      const plain = Buffer.from(make(query));
      served = { plain, gzip: gzipSync(plain), digest: createHash('sha1').update(plain).digest('base64url') };
      kept.set(key, served);
    }
    return served;
  };
  app
    .getHttpAdapter()
    .getInstance()
    .get(path, (request, reply) => {
      let served: Served;
      try {
        served = servedFor(takesQuery ? (request.query as Query) : {});
      } catch (error) {
        if (!(error instanceof ValidationFailed)) throw error;
        return reply.status(error.status).type(JSON_TYPE).send(JSON.stringify(error.body));
      }
      const zipped = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers['accept-encoding'] ?? '');
      // A strong tag identifies the bytes, and the compressed ones differ.
      const etag = `"${served.digest}${zipped ? '-gzip' : ''}"`;
      void reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
      if (matches(request.headers['if-none-match'] ?? '', etag, true)) return reply.status(304).send();
      if (zipped) void reply.header('content-encoding', 'gzip');
      return reply.type(type).send(zipped ? served.gzip : served.plain);
    });
}
