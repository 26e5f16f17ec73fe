import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { preferredType } from '../http/accept.js';
import { JSON_TYPE } from '../http/replies.js';
import { serveStatic, staticAnswer } from '../http/static-answer.js';
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

/** The modules of packages that the page imports, by their names below `/page`. */
const LIBRARIES: Readonly<Record<string, () => string>> = {
  'preact.js': () => require.resolve('preact'),
  'hooks.js': () => require.resolve('preact/hooks'),
  'htm.js': () => join(dirname(require.resolve('htm')), 'htm.mjs'),
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
  const page = staticAnswer(HTML, () => readFileSync(join(STATIC, 'index.html')));
  const links = staticAnswer(JSON_TYPE, index);
  fastify.get('/', (request, reply) => {
    void reply.header('vary', 'accept');
    const isBrowser = preferredType(request.headers.accept ?? '', ['application/json', 'text/html']) === 'text/html';
    return (isBrowser ? page : links)(request, reply);
  });
  serveStatic(fastify, '/page/declarations.json', JSON_TYPE, () =>
    JSON.stringify({ ...pageDeclarations(app, document()), login: ways }),
  );
  for (const name of readdirSync(STATIC).filter((file) => file !== 'index.html'))
    serveStatic(fastify, `/page/${name}`, TYPES[name.split('.').at(-1)!]!, () => readFileSync(join(STATIC, name)));
  for (const [name, fileOf] of Object.entries(LIBRARIES))
    serveStatic(fastify, `/page/${name}`, SCRIPT, () => browserModule(fileOf()));
}

/** A module of a package. Browsers need the address of what it imports, as they know no names of packages. */
const browserModule = (file: string): string =>
  readFileSync(file, 'utf8')
    .replaceAll(/\bfrom\s*"preact"/g, 'from"/page/preact.js"')
    .replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '');
