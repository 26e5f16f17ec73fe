import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ERRORS_PAGE } from '../../http/error-body.js';
import { JSON_TYPE } from '../../http/replies.js';
import { serveStatic, servedOf, type Query, type Served } from '../../http/static-response.js';
import { llmsText } from './llms.js';
import { publishedDocument, type PublishedPart } from './published.js';
import { parseSlimming, type Slimming } from './slim.js';
import { errorsPage, openapiFile } from './version.js';
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

/** The requested part of the document; undefined for all of it. @throws ValidationFailed */
export const partOf = (query: Query): Slimming | undefined =>
  Object.keys(query).length > 0 ? parseSlimming(publishedDocument(), query) : undefined;

/**
 * Serves `/openapi.json`, OpenAPI 3.0 at `/openapi-3.0.json`, Swagger UI at `/docs`, and `/llms.txt`.
 * @param make generates a part of the document, or one that differs from the file
 * @returns a function that returns the document, or a part of it, as text
 */
export function serveDocument(
  app: NestFastifyApplication,
  ways: LoginWays,
  make: (part: PublishedPart) => Promise<Served>,
  publicUrl?: string,
): (slimming?: Slimming) => Promise<Served> {
  const part = (openapi: PublishedPart['openapi'], slimming?: Slimming): Promise<Served> =>
    make({ openapi, publicUrl, ...(slimming && { slimming }) });
  const newer = (slimming?: Slimming): Promise<Served> =>
    publicUrl === undefined && !slimming ? servedOf(openapiFile()) : part('3.1', slimming);
  const fastify = fastifyOf(app);
  serveStatic(fastify, '/openapi.json', JSON_TYPE, (query) => newer(partOf(query)));
  serveStatic(fastify, '/openapi-3.0.json', JSON_TYPE, (query) => part('3.0', partOf(query)));
  serveStatic(fastify, '/docs', 'text/html; charset=utf-8', () => pageWith(ways));
  for (const [name, [directory, type]] of Object.entries(FILES)) {
    serveStatic(fastify, `/docs/${name}`, type, () => readFileSync(join(directory, name)));
  }
  // The address of the types of problem details.
  serveStatic(fastify, ERRORS_PAGE, 'text/markdown; charset=utf-8', errorsPage);
  serveStatic(fastify, '/llms.txt', 'text/plain; charset=utf-8', () => llmsText(publishedDocument(), publicUrl));
  return newer;
}

/** The page without login methods that are not available. `data-if` names the method to which an element belongs. */
function pageWith({ password, singleSignOn }: LoginWays): string {
  const offered: Record<string, boolean> = { password, 'single-sign-on': singleSignOn !== undefined };
  const page = readFileSync(join(PAGE, 'index.html'), 'utf8');
  return Object.entries(offered)
    .reduce((text, [way, isOffered]) => withElement(text, ` data-if="${way}"`, isOffered), page)
    .replace('{label}', () => escapeHtml(singleSignOn ?? ''));
}

/** The text without the mark of an element, or without the element and its line. */
function withElement(text: string, mark: string, isKept: boolean): string {
  if (isKept) return text.replace(mark, '');
  const start = text.lastIndexOf('<', text.indexOf(mark));
  const end = `</${text.slice(start + 1, text.indexOf(' ', start))}>`;
  return text.slice(0, text.lastIndexOf('\n', start)) + text.slice(text.indexOf(end, start) + end.length);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
