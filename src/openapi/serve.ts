import { createHash } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { matches } from '../http/replies.js';
import { buildDocument } from './build.js';

/** Serves `/openapi.json` and Swagger UI at `/docs`. The document is made when it is first asked for, and kept. */
export function serveDocument(app: NestFastifyApplication): void {
  let document: OpenAPIObject | undefined;
  let served: { text: string; etag: string } | undefined;
  const get = (): OpenAPIObject => (document ??= buildDocument(app));

  app
    .getHttpAdapter()
    .getInstance()
    .get('/openapi.json', (request, reply) => {
      if (!served) {
        const text = JSON.stringify(get());
        served = { text, etag: `"${createHash('sha1').update(text).digest('base64url')}"` };
      }
      void reply.header('etag', served.etag).header('cache-control', 'no-cache');
      if (matches(request.headers['if-none-match'] ?? '', served.etag, true)) return reply.status(304).send();
      return reply.type('application/json; charset=utf-8').send(served.text);
    });
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
