import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { preferredType } from '../http/accept.js';
import { NotFound } from '../http/errors.js';
import { JSON_TYPE } from '../http/replies.js';
import { FILE_ROUTE, serveStatic, staticResponse } from '../http/static-response.js';
import type { LoginWays } from '../openapi/document/serve.js';
import { publishedDocument } from '../openapi/document/published.js';
import { packageVersion } from '../openapi/document/version.js';
import type { PageFiles } from './bundle.js';
import { pageDeclarations } from './declarations.js';
import { fastifyOf } from '../http/server/fastify.js';

/** What the build leaves. Where the service runs from its sources, as in tests, the files are made of these when one is requested. */
const BUILT = join(__dirname, 'files');

const HTML = 'text/html; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: HTML,
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** For a file whose name changes with its contents. */
const FOR_EVER = 'public, max-age=31536000, immutable';

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

const builtFiles = (): PageFiles => new Map(readdirSync(BUILT).map((name) => [name, readFileSync(join(BUILT, name))]));

let bundled: Promise<PageFiles> | undefined;
/** Once for all services of a process. */
const bundledFiles = (): Promise<PageFiles> =>
  (bundled ??= import('./bundle.js').then(({ bundle }) => bundle(__dirname)));

type Served = ReturnType<typeof staticResponse>;

/** Serves the page at `/`. Clients that do not ask for HTML get the addresses to begin at. */
export function servePage(app: NestFastifyApplication, ways: LoginWays): void {
  const fastify = fastifyOf(app);
  const built = existsSync(BUILT) ? builtFiles() : undefined;
  const served = new Map<string, Served>();
  const fileOf = async (name: string): Promise<Served | undefined> => {
    const content = (built ?? (await bundledFiles())).get(name);
    if (content !== undefined && !served.has(name)) {
      const kept = name === 'index.html' ? undefined : FOR_EVER;
      served.set(
        name,
        staticResponse(TYPES[name.split('.').at(-1)!]!, () => Buffer.from(content), kept),
      );
    }
    return served.get(name);
  };
  const links = staticResponse(JSON_TYPE, index);
  fastify.get('/', { config: FILE_ROUTE }, async (request, reply) => {
    void reply.header('vary', 'accept');
    const isBrowser = preferredType(request.headers.accept ?? '', ['application/json', 'text/html']) === 'text/html';
    return (isBrowser ? await fileOf('index.html') : links)!(request, reply);
  });
  serveStatic(fastify, '/page/declarations.json', JSON_TYPE, () =>
    JSON.stringify({ ...pageDeclarations(app, publishedDocument()), login: ways }),
  );
  fastify.get<{ Params: { file: string } }>('/page/:file', { config: FILE_ROUTE }, async (request, reply) => {
    const file = await fileOf(request.params.file);
    if (!file) throw new NotFound('The file', 'is not of this version of the page');
    return file(request, reply);
  });
}
