import 'reflect-metadata';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import type { Deprecation } from '../http/deprecation.js';
import { AddRouteConfig } from '../http/route-config.js';
import type { Installation } from './body.js';
import type { DocumentedParameter, Model } from './schema.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declaration of the route's handler. */
    operation?: OperationDocument;
  }
}

/** The description of an operation in Swagger UI. */
export interface OperationText {
  summary?: string;
  description?: string;
}

/** Parameters of a query. Those of an installation may be more. */
export type DocumentedQuery = readonly DocumentedParameter[] | ((of: Installation) => readonly DocumentedParameter[]);

/** The parameters of a list. */
export interface DocumentedList {
  readonly parameters: DocumentedQuery;
  /** Columns that the page shows first; the first properties of the response by default. */
  readonly columns?: readonly string[];
}

/** Headers of the response, by name. */
export type DocumentedHeaders = Readonly<
  Record<string, { readonly description: string; readonly required: boolean; readonly schema: object }>
>;

/** The requests and responses of an operation. The OpenAPI document is written from it. */
export interface OperationDocument {
  operationId: string;
  text: Required<OperationText>;
  body?: Model;
  /** True: a request without a body has an empty one. */
  bodyOptional?: boolean;
  /** Media types of a body that is a file, each with an example. */
  upload?: Readonly<Record<string, string>>;
  /** The body changes some fields of a record. */
  partial?: boolean;
  /** Record or view in `data`. */
  response?: Model;
  /** Schema of `data`, if it is not an object. The name is that of the response. */
  data?: { name: string; schema: object };
  /** Schema of an alternative to `response`. The name is that of the response. */
  alternative?: { name: string; response: Model };
  /** Whether the response can be a picture: as an alternative to `response`, or always if there is no `response`. */
  picture?: true;
  /** The response is a document with an `ETag`: text of a media type, JSON, or either. It can also be a list of `response`. */
  document?: {
    text?: { type: string; description: string; example?: string };
    /** A schema, and its name. */
    json?: { name: string; schema: object };
    /** The list can also be a file, and has no `ETag`. */
    files?: true;
  };
  /** `data` is an array, in the list envelope. The parameters may depend on the modules of the application. */
  list?: DocumentedList | ((modules: ModulesContainer, installation: Installation) => DocumentedList);
  /** Schemas of further properties beside `data`. A page always has them, a record may lack them. */
  beside?: Readonly<Record<string, object>>;
  /** The same for a response that is not a list. */
  besideData?: Readonly<Record<string, object>>;
  /** The list is of groups of these records, and takes the filters of their list. */
  summarizes?: Model;
  /** `data` is an array of entries after a cursor. It has the next cursor instead of totals. */
  feed?: true;
  /** The response is a stream of this media type, which continues until one side ends it. */
  stream?: { type: string; description: string };
  /** `data` is an array with the whole list, without totals. */
  several?: boolean;
  /** Fields of the list whose value the path fixes. Filters by them are accepted, but not documented. */
  fixed?: readonly string[];
  /** Schemas and examples of path parameters that are not ids. */
  place?: Readonly<Record<string, { schema: object; example: string }>>;
  /** Query parameters of an operation that is not a list. */
  query?: DocumentedQuery;
  /** 302 redirects a browser. */
  status: 200 | 201 | 204 | 302;
  /** Returns one record with an `ETag`. */
  record?: boolean;
  /** Headers of the response besides those that follow from the rest. */
  headers?: DocumentedHeaders;
  /** Takes `If-Match`. */
  conditional?: boolean;
  /** The 202 response to a request that is recorded in a change set, and the parameter that asks for it. */
  planned?: Planned;
  /** With `dryRun`, the response has `dryRun` beside `data`. */
  rehearsed?: boolean;
  /** Refusals in addition to the implied ones. */
  errors?: readonly number[];
  /** Refusals are a page for people where a browser asks. */
  explained?: true;
  /** The operation is deprecated. */
  deprecated?: Deprecation;
  /** The record that the path names, for the 404. */
  finds?: string;
}

export interface Planned {
  response: Model;
  parameter: DocumentedParameter;
}

const OPERATION = Symbol('operation');
const IDEMPOTENCY = Symbol('idempotency');

/** The refusal if a key was used for another request. */
export const KEY_REUSED = 'This Idempotency-Key was already used with another body or other query parameters';

/** Documents that a route takes `Idempotency-Key`. */
export const TakesIdempotencyKey: MethodDecorator = SetMetadata(IDEMPOTENCY, true);

export const takesIdempotencyKey = (handler: object): boolean => Reflect.hasMetadata(IDEMPOTENCY, handler);

/**
 * Documents a route. The whole documentation of the route follows from this, from the `@Access` of its handler, and from the `@Tag` of
 * its controller.
 */
export function Operation(operation: OperationDocument): MethodDecorator {
  const models = [
    operation.body,
    operation.response,
    operation.alternative?.response,
    operation.planned?.response,
  ].filter((model): model is Model => model !== undefined);
  return applyDecorators(
    ApiOperation({ operationId: operation.operationId, ...operation.text }),
    SetMetadata(OPERATION, operation),
    ApiExtraModels(...models),
    AddRouteConfig({ deprecated: operation.deprecated, operation }),
  );
}

/** The declaration of a handler with `@Operation`; undefined if it has none. */
export const operationOf = (handler: object): OperationDocument | undefined =>
  Reflect.getMetadata(OPERATION, handler) as OperationDocument | undefined;

/** The list of an operation. */
export const listIn = (
  { list }: OperationDocument,
  modules: ModulesContainer,
  installation: Installation,
): DocumentedList | undefined => (typeof list === 'function' ? list(modules, installation) : list);

/** All parameters that an operation takes in a query string. */
export function queryOf(
  operation: OperationDocument,
  modules: ModulesContainer,
  installation: Installation,
): readonly DocumentedParameter[] {
  const queries = [listIn(operation, modules, installation)?.parameters ?? [], operation.query ?? []];
  return queries.flatMap((one) => (typeof one === 'function' ? one(installation) : one));
}
