import type { Class } from '../fields/field.js';
import { capital, withArticle, wordsOf } from '../fields/words.js';
import { Operation, type DocumentedList, type OperationText } from '../openapi/operation.js';
import type { DocumentedParameter } from '../openapi/schema.js';
import { tableOf } from '../records/resource.js';

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
  text?: OperationText;
}

/** The operations that every resource has, as the OpenAPI document shows them. */
export const document = {
  list({
    record,
    tag,
    text,
    list,
    fixed,
  }: Subject & { list: () => DocumentedList; fixed?: readonly string[] }): MethodDecorator {
    const plural = pluralOf(record);
    return Operation({
      operationId: `list${plural}`,
      tag: tag ?? tagOf(record),
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
    text,
    body,
    idempotent,
    conflicts,
  }: Subject & { body: Class; idempotent: boolean; conflicts: boolean }): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `create${record.name}`,
      tag: tag ?? tagOf(record),
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
  get({ record, tag, text, query }: Subject & { query?: readonly DocumentedParameter[] }): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `get${record.name}`,
      tag: tag ?? tagOf(record),
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
  changes({ record, tag, response, list }: Subject & { response: Class; list: () => DocumentedList }): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `list${record.name}Changes`,
      tag: tag ?? tagOf(record),
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
  restore({ record, tag }: Subject): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `restore${record.name}`,
      tag: tag ?? tagOf(record),
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
  update({ record, tag, text, body, conflicts }: Subject & { body: Class; conflicts: boolean }): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `update${record.name}`,
      tag: tag ?? tagOf(record),
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
  remove({ record, tag, text, errors }: Subject & { errors?: readonly number[] }): MethodDecorator {
    const words = wordsOf(record.name);
    return Operation({
      operationId: `delete${record.name}`,
      tag: tag ?? tagOf(record),
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
