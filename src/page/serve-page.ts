import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { preferredType } from '../http/accept.js';
import { JSON_TYPE } from '../http/replies.js';
import { FILE_ROUTE, serveStatic, staticResponse } from '../http/static-response.js';
import type { LoginWays } from '../openapi/document/serve.js';
import { packageVersion } from '../openapi/document/version.js';
import { pageDeclarations } from './declarations.js';

const STATIC = join(__dirname, 'static');

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  js: SCRIPT,
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The modules of packages that the page imports, by their names below `/page`, and whether they import preact by its name. */
const LIBRARIES: Readonly<Record<string, { file: () => string; importsPreact: boolean }>> = {
  'preact.js': { file: () => require.resolve('preact'), importsPreact: false },
  'hooks.js': { file: () => require.resolve('preact/hooks'), importsPreact: true },
  'htm.js': { file: () => join(dirname(require.resolve('htm')), 'htm.mjs'), importsPreact: false },
};

/** What a client that is no browser finds at `/`. */
const index = (): string =>
  JSON.stringify({
    data: {
      name: 'Infrastructure Inventory and Operations',
      version: packageVersion(),
      documentation: '/docs',
      openapi: '/openapi.json',
      health: '/health/ready',
    },
  });

/**
 * Serves the page for people at `/`, and to clients that do not ask for HTML the addresses to begin at.
 * @param document the OpenAPI document, once the first client asks for the page
 */
export function servePage(app: NestFastifyApplication, ways: LoginWays, document: () => OpenAPIObject): void {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const page = staticResponse(HTML, () => readFileSync(join(STATIC, 'index.html')));
  const links = staticResponse(JSON_TYPE, index);
  fastify.get('/', { config: FILE_ROUTE }, (request, reply) => {
    void reply.header('vary', 'accept');
    const isBrowser = preferredType(request.headers.accept ?? '', ['application/json', 'text/html']) === 'text/html';
    return (isBrowser ? page : links)(request, reply);
  });
  serveStatic(fastify, '/page/declarations.json', JSON_TYPE, () =>
    JSON.stringify({ ...pageDeclarations(app, document()), login: ways }),
  );
  for (const name of readdirSync(STATIC).filter((file) => file !== 'index.html'))
    serveStatic(fastify, `/page/${name}`, TYPES[name.split('.').at(-1)!]!, () => readFileSync(join(STATIC, name)));
  for (const [name, { file, importsPreact }] of Object.entries(LIBRARIES)) {
    // Now, and not when a browser asks for it: a package that has changed must not become a page that does not start.
    const module = browserModule(readFileSync(file(), 'utf8'), importsPreact);
    serveStatic(fastify, `/page/${name}`, SCRIPT, () => module);
  }
}

const NAME_OF_PREACT = 'from"preact"';

/**
 * A module of a package for browsers, which know no names of packages: preact has its address in place of its name.
 * @throws Error if the module imports otherwise than it is known to do
 */
export function browserModule(text: string, importsPreact: boolean): string {
  const pieces = text.split(NAME_OF_PREACT);
  if (pieces.length !== (importsPreact ? 2 : 1) || /\b(?:from|import)\s*["']/.test(pieces.join(''))) {
    throw new Error(`A module of the page imports otherwise than ${importsPreact ? NAME_OF_PREACT : 'nothing'}`);
  }
  return pieces.join('from"/page/preact.js"').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '');
}
