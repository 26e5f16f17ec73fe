import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import type { AccessRule } from '../access/access.js';
import type { Class } from '../fields/field.js';
import type { DocumentedParameter, ListQuery } from '../records/list-query.js';
import { tableOf } from '../records/resource.js';
import { capital, withArticle, wordsOf } from '../fields/words.js';

/** What Swagger UI says about an operation. */
export interface OperationText {
  summary?: string;
  description?: string;
}

/** What an operation takes and gives, from which the OpenAPI document is filled in. */
export interface OperationDocument {
  operationId: string;
  tag: string;
  text: Required<OperationText>;
  access: AccessRule;
  /** Body class. */
  body?: Class;
  /** The body changes some fields of a record. */
  partial?: boolean;
  /** Record or view in `data`. */
  response?: Class;
  /** `data` is an array, in the list envelope. */
  list?: () => ListQuery;
  /** Filters of the list whose value the path decides: accepted, and not worth documenting. */
  fixed?: readonly string[];
  /** Query parameters of an operation that is no list. */
  query?: readonly DocumentedParameter[];
  status: 200 | 201 | 204;
  /** Answers one record with an `ETag`. */
  record?: boolean;
  /** Takes `If-Match`. */
  conditional?: boolean;
  /** Takes `Idempotency-Key`. */
  idempotent?: boolean;
  /** Refusals besides those that follow from the rest. */
  errors?: readonly number[];
  /** The record that the path names, for the 404. */
  finds?: string;
}

export const OPERATION = 'x-operation';

const documents: OperationDocument[] = [];

/** The declared document of an operation, by the number that its extension holds. */
export const operationDocument = (index: number): OperationDocument => documents[index]!;

/** Documents a route. Everything that the OpenAPI document says of it follows from what is given here. */
export function Operation(operation: OperationDocument): MethodDecorator {
  const models = [operation.body, operation.response].filter((model): model is Class => model !== undefined);
  return applyDecorators(
    ApiOperation({ operationId: operation.operationId, ...operation.text }),
    // The document is made of JSON, which cannot hold classes: it holds their place in this list.
    ApiExtension(OPERATION, documents.push(operation) - 1),
    ApiExtraModels(...(models as never[])),
  );
}

/** `OnCallSchedules` of the table on_call_schedules. */
export const pluralOf = (record: Class): string =>
  tableOf(record)
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Tag of a record's operations: its plural in words. */
export const tagOf = (record: Class): string => capital(wordsOf(pluralOf(record)));

interface Subject {
  record: Class;
  tag?: string;
  access: AccessRule;
  text?: OperationText;
}

/** The five operations of the pattern. */
export const document = {
  list({
    record,
    tag,
    access,
    text,
    list,
    fixed,
  }: Subject & { list: () => ListQuery; fixed?: readonly string[] }): MethodDecorator {
    const plural = pluralOf(record);
    return Operation({
      operationId: `list${plural}`,
      tag: tag ?? tagOf(record),
      access,
      text: {
        summary: `List ${wordsOf(plural)}`,
        description:
          'Pages, sorts, searches and filters. Several filters narrow each other; one filter repeated means any of its values. Unknown parameters are refused.',
        ...text,
      },
      list,
      fixed,
      response: record,
      status: 200,
    });
  },
  create({
    record,
    tag,
    access,
    text,
    body,
    idempotent,
    conflicts,
  }: Subject & { body: Class; idempotent: boolean; conflicts: boolean }): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `create${record.name}`,
      tag: tag ?? tagOf(record),
      access,
      text: {
        summary: `Create ${withArticle(words)}`,
        description: 'Answers the whole new record, with the defaults of the fields that were not given.',
        ...text,
      },
      body,
      response: record,
      record: true,
      status: 201,
      idempotent,
      errors: conflicts ? [409] : [],
    });
  },
  get({ record, tag, access, text, query }: Subject & { query?: readonly DocumentedParameter[] }): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `get${record.name}`,
      tag: tag ?? tagOf(record),
      access,
      text: {
        summary: `Read ${withArticle(words)}`,
        description: 'As it is now, or with `asOf` as it stood at a time in the past.',
        ...text,
      },
      response: record,
      record: true,
      query,
      status: 200,
      // `asOf` may ask for a time that the change log no longer knows.
      errors: [410],
      finds: words,
    });
  },
  changes({
    record,
    tag,
    access,
    response,
    list,
  }: Subject & { response: Class; list: () => ListQuery }): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `list${record.name}Changes`,
      tag: tag ?? tagOf(record),
      access,
      text: {
        summary: `List the changes of ${withArticle(words)}`,
        description: 'Its entries in the change log, also when it is deleted.',
      },
      list,
      fixed: ['resource', 'recordId', 'area'],
      response,
      status: 200,
      finds: words,
    });
  },
  restore({ record, tag, access }: Subject): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `restore${record.name}`,
      tag: tag ?? tagOf(record),
      access,
      text: {
        summary: `Restore a deleted ${words}`,
        description:
          'Makes it again as it was when it was deleted, with its id and its parts. Secrets are gone, and what referred to it does not refer to it again. Refused where it refers to something that no longer exists, or a unique value of it is taken.',
      },
      response: record,
      record: true,
      status: 200,
      idempotent: true,
      errors: [403, 409],
      finds: words,
    });
  },
  update({
    record,
    tag,
    access,
    text,
    body,
    conflicts,
  }: Subject & { body: Class; conflicts: boolean }): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `update${record.name}`,
      tag: tag ?? tagOf(record),
      access,
      text: {
        summary: `Change ${withArticle(words)}`,
        description: 'Changes the fields that are sent and no others; `null` clears a field that may be null.',
        ...text,
      },
      body,
      partial: true,
      response: record,
      record: true,
      status: 200,
      conditional: true,
      errors: conflicts ? [409] : [],
      finds: words,
    });
  },
  remove({ record, tag, access, text, errors }: Subject & { errors?: readonly number[] }): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `delete${record.name}`,
      tag: tag ?? tagOf(record),
      access,
      text: {
        summary: `Delete ${withArticle(words)}`,
        description: 'References to it become null; its parts go with it.',
        ...text,
      },
      status: 204,
      conditional: true,
      errors,
      finds: words,
    });
  },
};
