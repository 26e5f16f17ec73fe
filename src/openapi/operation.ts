import 'reflect-metadata';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import type { DocumentedParameter, Model } from './schema.js';

/** What Swagger UI says about an operation. */
export interface OperationText {
  summary?: string;
  description?: string;
}

/** What a list can be asked for. */
export interface DocumentedList {
  readonly parameters: readonly DocumentedParameter[];
}

/** What an operation takes and gives, from which the OpenAPI document is filled in. */
export interface OperationDocument {
  operationId: string;
  text: Required<OperationText>;
  /** Body class. */
  body?: Model;
  /** True: a request without a body has an empty one. */
  bodyOptional?: boolean;
  /** Media types of a body that is a file, each with an example. */
  upload?: Readonly<Record<string, string>>;
  /** The body changes some fields of a record. */
  partial?: boolean;
  /** Record or view in `data`. */
  response?: Model;
  /** What `data` is, where it is no object. The name is that of the response. */
  data?: { name: string; schema: object };
  /** Another object that `data` can be. The name is that of the response. */
  alternative?: { name: string; response: Model };
  /** The answer can be a drawing: besides `response`, or always where there is none. */
  drawn?: true;
  /** The answer is a text of this media type, and nothing else. It has an `ETag`. */
  document?: { type: string; description: string };
  /** `data` is an array, in the list envelope. What it can be asked for may depend on the modules of the application. */
  list?: (modules: ModulesContainer) => DocumentedList;
  /** `data` is an array of all that there is to answer, without totals. */
  several?: boolean;
  /** Fields of the list whose value the path fixes: filters by them are accepted, but not documented. */
  fixed?: readonly string[];
  /** Schemas and examples of parameters of the path that are no ids. */
  place?: Readonly<Record<string, { schema: object; example: string }>>;
  /** Query parameters of an operation that is no list. */
  query?: readonly DocumentedParameter[] | (() => readonly DocumentedParameter[]);
  /** 302 redirects a browser. */
  status: 200 | 201 | 204 | 302;
  /** Answers one record with an `ETag`. */
  record?: boolean;
  /** Takes `If-Match`. */
  conditional?: boolean;
  /** The answer has `dryRun` beside `data` where the request asked for it. */
  rehearsed?: boolean;
  /** Takes `Idempotency-Key`. */
  idempotent?: boolean;
  /** Refusals besides those that follow from the rest. */
  errors?: readonly number[];
  /** The record that the path names, for the 404. */
  finds?: string;
}

const OPERATION = Symbol('operation');

/**
 * Documents a route. Everything that the OpenAPI document says of it follows from what is given here, from the `@Access`
 * of its handler and from the `@Tag` of its controller.
 */
export function Operation(operation: OperationDocument): MethodDecorator {
  const models = [operation.body, operation.response, operation.alternative?.response].filter(
    (model): model is Model => model !== undefined,
  );
  return applyDecorators(
    ApiOperation({ operationId: operation.operationId, ...operation.text }),
    SetMetadata(OPERATION, operation),
    ApiExtraModels(...(models as never[])),
  );
}

/** What a handler declares with `@Operation`; undefined where it declares nothing. */
export const operationOf = (handler: object): OperationDocument | undefined =>
  Reflect.getMetadata(OPERATION, handler) as OperationDocument | undefined;
