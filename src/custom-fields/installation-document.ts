import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { knownDefinitions, type Definitions } from '../fields/custom/known-fields.js';
import { once, onceFor } from '../http/once.js';
import { JSON_TYPE } from '../http/replies.js';
import { staticResponse } from '../http/static-response.js';
import { fastifyOf } from '../http/server/fastify.js';
import { buildDocument } from '../openapi/document/build.js';

/**
 * What depends on the fields that the installation has defined, as a request knows them. It is made when it is first asked for after
 * each change.
 */
function ofInstallation<T>(make: () => T): () => T {
  const withoutAny = once(make);
  const ofDefinitions = onceFor<Definitions, Record<'open' | 'closed', () => T>>(() => ({
    open: once(make),
    closed: once(make),
  }));
  return () => {
    const known = knownDefinitions();
    if (!known) return withoutAny();
    const { open, closed } = ofDefinitions(known.definitions);
    return known.seesOperations ? open() : closed();
  };
}

/**
 * The OpenAPI document with the fields of the installation.
 * @param published the document without any
 */
export const documentOfInstallation = (
  app: NestFastifyApplication,
  published: () => OpenAPIObject,
  publicUrl?: string,
): (() => OpenAPIObject) => ofInstallation(() => (knownDefinitions() ? buildDocument(app, publicUrl) : published()));

/** Serves JSON that depends on the fields of the installation to everybody who is logged in. */
export function serveOfInstallation(app: NestFastifyApplication, path: string, make: () => object): void {
  const handler = ofInstallation(() => staticResponse(JSON_TYPE, () => JSON.stringify(make()), 'private, no-cache'));
  fastifyOf(app).get(path, { config: { access: { role: 'viewer' } } }, (request, reply) => handler()(request, reply));
}
