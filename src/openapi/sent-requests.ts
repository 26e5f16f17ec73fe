import 'reflect-metadata';
import { SetMetadata } from '@nestjs/common';

type Json = Record<string, unknown>;

/** A request that the service sends to an address of somebody else. */
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
   * Schemas of records in these bodies: the name, and that of the schema of responses. A property that is read-only there must not be in
   * any request, which these are.
   */
  records: Readonly<Record<string, string>>;
}

const SENT = Symbol('sent requests');

/** Documents requests that the service sends, next to the operations of a controller: `webhooks` of OpenAPI 3.1. */
export const Sends = (sent: Sent): ClassDecorator => SetMetadata(SENT, sent) as ClassDecorator;

export const sentBy = (controller: object): Sent | undefined =>
  Reflect.getMetadata(SENT, controller) as Sent | undefined;
