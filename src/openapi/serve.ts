import { createHash } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { matches } from '../http/replies.js';
import { buildDocument } from './build.js';
import { toOpenApi30 } from './to-3.0.js';

/**
 * Serves `/openapi.json`, the same in OpenAPI 3.0 at `/openapi-3.0.json`, and Swagger UI at `/docs`. The documents are made
 * when they are first asked for, and kept.
 */
export function serveDocument(app: NestFastifyApplication): void {
  let document: OpenAPIObject | undefined;
  const get = (): OpenAPIObject => (document ??= buildDocument(app));
  serve(app, '/openapi.json', get);
  serve(app, '/openapi-3.0.json', () => toOpenApi30(get()));
  SwaggerModule.setup('docs', app, get, {
    raw: false,
    customSiteTitle: 'Infrastructure Inventory and Operations',
    swaggerOptions: {
      deepLinking: true,
      docExpansion: 'none',
      filter: true,
      persistAuthorization: true,
      tagsSorter: undefined,
      withCredentials: true,
    },
  });
}

function serve(app: NestFastifyApplication, path: string, make: () => object): void {
  let served: { text: string; etag: string } | undefined;
  app
    .getHttpAdapter()
    .getInstance()
    .get(path, (request, reply) => {
      if (!served) {
        const text = JSON.stringify(make());
        served = { text, etag: `"${createHash('sha1').update(text).digest('base64url')}"` };
      }
      void reply.header('etag', served.etag).header('cache-control', 'no-cache');
      if (matches(request.headers['if-none-match'] ?? '', served.etag, true)) return reply.status(304).send();
      return reply.type('application/json; charset=utf-8').send(served.text);
    });
}
