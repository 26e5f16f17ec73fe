import 'reflect-metadata';
import { SetMetadata } from '@nestjs/common';

type Json = Record<string, unknown>;

/** A request that the service sends to another system. */
interface SentRequest {
  operationId: string;
  summary: string;
  description: string;
  /** Name of the schema of its body. */
  schema: string;
  example: Json;
}

/** Requests that the service sends, and the schemas of their bodies, by their names. */
export interface Sent {
  requests: Readonly<Record<string, SentRequest>>;
  schemas: Readonly<Record<string, Json>>;
  /**
   * Schemas of records in these bodies: the name, and the schema of responses. Read-only properties of that schema are ordinary ones
   * here, because requests must not have read-only properties.
   */
  records: Readonly<Record<string, string>>;
}

const SENT = Symbol('sent requests');

/** Documents requests that the service sends, next to the operations of a controller: `webhooks` of OpenAPI 3.1. */
export const Sends = (sent: Sent): ClassDecorator => SetMetadata(SENT, sent) as ClassDecorator;

export const sentBy = (controller: object): Sent | undefined =>
  Reflect.getMetadata(SENT, controller) as Sent | undefined;
