import type { OpenAPIObject } from '@nestjs/swagger';
import { once } from '../../http/once.js';
import { slimmed, type Slimming } from './slim.js';
import { toOpenApi30 } from './to-3.0.js';
import { openapiFile } from './version.js';

/** The document without custom fields. It is a file, so that it need not be generated at startup or for a request. */
export const publishedDocument = once((): OpenAPIObject => JSON.parse(openapiFile().toString()) as OpenAPIObject);

/** Adds the address of the service, for tools that have the document from elsewhere. */
export const withAddress = (document: OpenAPIObject, publicUrl: string | undefined): OpenAPIObject =>
  publicUrl === undefined
    ? document
    : {
        ...document,
        servers: [{ url: publicUrl, description: 'This service, from outside' }, ...document.servers!],
      };

/** The published document, or a part of it, in a version of OpenAPI. */
export interface PublishedPart {
  openapi: '3.0' | '3.1';
  slimming?: Slimming;
  publicUrl?: string;
}

export function publishedPart({ openapi, slimming, publicUrl }: PublishedPart): object {
  const whole = withAddress(publishedDocument(), publicUrl);
  // OpenAPI 3.0 has no webhooks.
  const document = openapi === '3.0' ? { ...whole, webhooks: undefined } : whole;
  const part = slimming ? slimmed(document, slimming) : document;
  return openapi === '3.0' ? toOpenApi30(part) : part;
}
