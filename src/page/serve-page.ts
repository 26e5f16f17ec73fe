import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { preferredType } from '../http/accept.js';
import { JSON_TYPE } from '../http/replies.js';
import { FILE_ROUTE, serveStatic, staticResponse } from '../http/static-response.js';
import type { LoginWays } from '../openapi/document/serve.js';
import { publishedDocument } from '../openapi/document/published.js';
import { packageVersion } from '../openapi/document/version.js';
import { pageDeclarations } from './declarations.js';
import { iconSheet } from './icons.js';
import { closureOf, pageModules } from './modules.js';
import { fastifyOf } from '../http/server/fastify.js';

const STATIC = join(__dirname, 'static');

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Files that come from packages: the typeface, and the icons. */
const FROM_PACKAGES: readonly { name: string; type: string; make: () => string | Buffer }[] = [
  {
    name: 'inter.woff2',
    type: 'font/woff2',
    make: () => readFileSync(require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
  },
  { name: 'icons.svg', type: TYPES.svg!, make: iconSheet },
];

/** The response at `/` for a client that is not a browser. */
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

/** The HTML, in which the browser finds the names of the first modules, so that it need not read one to ask for the next. */
function pageWith(modules: string[]): string {
  const links = modules.map((name) => `<link rel="modulepreload" href="/page/${name}" />`);
  return readFileSync(join(STATIC, 'index.html'), 'utf8').replace('<!-- modules -->', links.join('\n    '));
}

/** Serves the page for people at `/`, and to clients that do not ask for HTML the addresses to begin at. */
export function servePage(app: NestFastifyApplication, ways: LoginWays): void {
  const fastify = fastifyOf(app);
  const modules = pageModules();
  const page = staticResponse(HTML, () => pageWith(closureOf(modules, 'main.js')));
  const links = staticResponse(JSON_TYPE, index);
  fastify.get('/', { config: FILE_ROUTE }, (request, reply) => {
    void reply.header('vary', 'accept');
    const isBrowser = preferredType(request.headers.accept ?? '', ['application/json', 'text/html']) === 'text/html';
    return (isBrowser ? page : links)(request, reply);
  });
  serveStatic(fastify, '/page/declarations.json', JSON_TYPE, () =>
    JSON.stringify({ ...pageDeclarations(app, publishedDocument()), login: ways }),
  );
  for (const name of readdirSync(STATIC).filter((file) => file !== 'index.html'))
    serveStatic(fastify, `/page/${name}`, TYPES[name.split('.').at(-1)!]!, () => readFileSync(join(STATIC, name)));
  for (const { name, type, make } of FROM_PACKAGES) serveStatic(fastify, `/page/${name}`, type, make);
  for (const { name, text } of modules) serveStatic(fastify, `/page/${name}`, SCRIPT, text);
}
