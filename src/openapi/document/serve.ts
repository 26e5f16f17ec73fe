import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { once } from '../../http/once.js';
import { JSON_TYPE } from '../../http/replies.js';
import { serveStatic, type Query } from '../../http/static-response.js';
import { buildDocument } from './build.js';
import { parseSlimming, slimmed } from './slim.js';
import { toOpenApi30 } from './to-3.0.js';
import { fastifyOf } from '../../http/server/fastify.js';

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

/** The ways to log in that a page offers. */
export interface LoginWays {
  password: boolean;
  /** Text of the link to single sign-on; undefined if it is not configured. */
  singleSignOn?: string;
}

/**
 * Serves `/openapi.json`, the same in OpenAPI 3.0 at `/openapi-3.0.json`, and Swagger UI at `/docs`.
 * @returns the document, which is built when it is first asked for
 */
export function serveDocument(app: NestFastifyApplication, ways: LoginWays, publicUrl?: string): () => OpenAPIObject {
  const get = once(() => buildDocument(app, publicUrl));
  const part = (whole: OpenAPIObject, query: Query): OpenAPIObject => {
    const slimming = parseSlimming(whole, query);
    return Object.keys(query).length === 0 ? whole : slimmed(whole, slimming);
  };
  const fastify = fastifyOf(app);
  serveStatic(fastify, '/openapi.json', JSON_TYPE, (query) => JSON.stringify(part(get(), query)));
  serveStatic(fastify, '/openapi-3.0.json', JSON_TYPE, (query) =>
    // OpenAPI 3.0 has no webhooks.
    JSON.stringify(toOpenApi30(part({ ...get(), webhooks: undefined }, query))),
  );
  serveStatic(fastify, '/docs', 'text/html; charset=utf-8', () => pageWith(ways));
  for (const [name, [directory, type]] of Object.entries(FILES)) {
    serveStatic(fastify, `/docs/${name}`, type, () => readFileSync(join(directory, name)));
  }
  return get;
}

/** The page without the ways to log in that are not available: `data-if` names the way that an element belongs to. */
function pageWith({ password, singleSignOn }: LoginWays): string {
  const offered: Record<string, boolean> = { password, 'single-sign-on': singleSignOn !== undefined };
  const page = readFileSync(join(PAGE, 'index.html'), 'utf8');
  return Object.entries(offered)
    .reduce((text, [way, isOffered]) => withElement(text, ` data-if="${way}"`, isOffered), page)
    .replace('{label}', () => escapeHtml(singleSignOn ?? ''));
}

/** The text with an element without its mark, or without the element and its line. */
function withElement(text: string, mark: string, isKept: boolean): string {
  if (isKept) return text.replace(mark, '');
  const start = text.lastIndexOf('<', text.indexOf(mark));
  const end = `</${text.slice(start + 1, text.indexOf(' ', start))}>`;
  return text.slice(0, text.lastIndexOf('\n', start)) + text.slice(text.indexOf(end, start) + end.length);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
