import type { Class, Concrete } from '../fields/field.js';
import { labelOf, pluralLabelOf, withArticle } from '../fields/record-entity.js';
import { capital } from '../fields/words.js';
import { Operation, type DocumentedHeaders, type DocumentedList, type OperationText } from '../openapi/operation.js';
import type { DocumentedParameter } from '../openapi/schema.js';
import { Tag } from '../openapi/tags.js';
import { RELINK } from '../change-log/record-restore.js';
import { FILE, PAGE } from '../lists/parameters/paging.js';
import { RecordReferences } from '../records/references-to.js';
import { tableOf } from '../lists/record-sql.js';
import { ImportResult, importExamples } from './import.models.js';
import { IMPORT_OPTIONS } from './import/import.options.js';
import { DRY_RUN } from '../lists/parameters/query-options.js';

/** `OnCallSchedules` of the table on_call_schedules. */
export const pluralOf = (record: Class, flat = false): string =>
  `${flat ? 'flat_' : ''}${tableOf(record)}`.split('_').map(capital).join('');

const pluralWordsOf = (record: Class): string => pluralLabelOf(record, tableOf(record));

/** Gives a controller the tag of a record, its plural in words; `about` describes it. */
export const TagOf = (record: Class, about?: string): ClassDecorator => Tag(capital(pluralWordsOf(record)), about);

interface Subject {
  record: Class;
  /** Whether these are the parts of all owners, whose operations have names of their own. */
  flat?: boolean;
  text?: OperationText;
}

/** Name of a record in the names of its operations and their models. */
export const operationName = (record: Class, flat = false): string => (flat ? `Flat${record.name}` : record.name);

/** The operations that every resource has, as the OpenAPI document shows them. */
export const document = {
  list({
    record,
    flat,
    text,
    list,
    fixed,
  }: Subject & { list: DocumentedList; fixed?: readonly string[] }): MethodDecorator {
    return Operation({
      operationId: `list${pluralOf(record, flat)}`,
      text: {
        summary: `List ${pluralWordsOf(record)}`,
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
  summary({ record, flat, list, response }: Subject & { list: DocumentedList; response: Class }): MethodDecorator {
    const words = pluralWordsOf(record);
    return Operation({
      operationId: `list${operationName(record, flat)}Summary`,
      text: {
        summary: `Count ${words} by group`,
        description:
          'The number of records for each value of a field, or for each combination of values of up to three fields, and sums of numeric fields. The filters are those of the list. Null is a group too. Groups are in the order of their values, nulls last. More than 10,000 groups are refused. With `format=svg` they are a picture: a bar chart.',
      },
      list,
      summarizes: record,
      response,
      picture: true,
      status: 200,
    });
  },
  create({
    record,
    flat,
    text,
    body,
    created = record,
    query,
    conflicts,
  }: Subject & {
    body: Class;
    created?: Class;
    query: readonly DocumentedParameter[];
    conflicts: boolean;
  }): MethodDecorator {
    return Operation({
      operationId: `create${operationName(record, flat)}`,
      text: {
        summary: `Create ${withArticle(record)}`,
        description: 'Returns the whole new record, with the defaults of the fields that were not given.',
        ...text,
      },
      body,
      response: created,
      record: true,
      query,
      status: 201,
      errors: conflicts ? [409] : [],
    });
  },
  get({ record, flat, text, query }: Subject & { query: () => readonly DocumentedParameter[] }): MethodDecorator {
    return Operation({
      operationId: `get${operationName(record, flat)}`,
      text: {
        summary: `Read ${withArticle(record)}`,
        description: 'The current record, or with `asOf` the record as it was at that time.',
        ...text,
      },
      response: record,
      record: true,
      query,
      status: 200,
      // `asOf` may name a time whose entries were deleted.
      errors: [410],
      finds: labelOf(record),
    });
  },
  changes({ record, flat, response, list }: Subject & { response: Class; list: DocumentedList }): MethodDecorator {
    return Operation({
      operationId: `list${operationName(record, flat)}Changes`,
      text: {
        summary: `List the changes of ${withArticle(record)}`,
        description: 'The entries of the record in the change log, even after it was deleted.',
      },
      list,
      fixed: ['resource', 'recordId', 'area'],
      response,
      status: 200,
      finds: labelOf(record),
    });
  },
  references({ record, flat }: Subject): MethodDecorator {
    return Operation({
      operationId: `list${operationName(record, flat)}References`,
      text: {
        summary: `List what refers to ${withArticle(record)}`,
        description:
          'The number of records that refer to it, by resource and field, and what deleting it does to them. Records that the caller may not read are counted too.',
      },
      list: { parameters: [...PAGE, ...FILE] },
      response: RecordReferences,
      status: 200,
      finds: labelOf(record),
    });
  },
  restore({ record, flat }: Subject): MethodDecorator {
    const words = labelOf(record);
    return Operation({
      operationId: `restore${operationName(record, flat)}`,
      text: {
        summary: `Restore a deleted ${words}`,
        description:
          'Restores the record as it was when it was deleted, with its id and parts but without secrets. References to it stay cleared unless `relink` is given. Refused if it refers to a record that no longer exists, or if a unique value of it is taken. Takes no body.',
      },
      response: record,
      record: true,
      status: 200,
      query: [RELINK],
      errors: [403, 409],
      finds: words,
    });
  },
  update({
    record,
    flat,
    text,
    body,
    conflicts,
    headers,
  }: Subject & { body: Class; conflicts: boolean; headers?: DocumentedHeaders }): MethodDecorator {
    return Operation({
      operationId: `update${operationName(record, flat)}`,
      text: {
        summary: `Change ${withArticle(record)}`,
        description: 'Changes the fields that are sent and no others; `null` clears a field that may be null.',
        ...text,
      },
      body,
      partial: true,
      response: record,
      record: true,
      status: 200,
      conditional: true,
      headers,
      errors: conflicts ? [409] : [],
      finds: labelOf(record),
    });
  },
  remove({
    record,
    flat,
    text,
    query,
    errors,
  }: Subject & { query: readonly DocumentedParameter[]; errors?: readonly number[] }): MethodDecorator {
    return Operation({
      operationId: `delete${operationName(record, flat)}`,
      text: {
        summary: `Delete ${withArticle(record)}`,
        description: 'References to it become null and its parts are deleted with it.',
        ...text,
      },
      query,
      status: 204,
      conditional: true,
      errors,
      finds: labelOf(record),
    });
  },
  bulk({ record, flat, models }: Subject & { models: { body: Class; response: Class } }): MethodDecorator {
    const words = pluralWordsOf(record);
    return Operation({
      operationId: `bulk${pluralOf(record, flat)}`,
      text: {
        summary: `Create, change and delete ${words}`,
        description:
          'Runs up to 1,000 operations in their order and in one transaction: all of them, or none. Every fault names its operation, such as `operations[3].data.name`. The body may be up to 16 MiB.',
      },
      ...models,
      query: [DRY_RUN],
      status: 200,
      rehearsed: true,
      errors: [404, 409, 412],
    });
  },
  import({
    record,
    flat,
    body,
    otherFile,
  }: Subject & {
    body: Concrete;
    otherFile?: { type: string; text: string; example: string; response: Class; options: object };
  }): MethodDecorator {
    const own = Object.values(otherFile?.options ?? {}) as DocumentedParameter[];
    const shared = new Set(Object.keys(IMPORT_OPTIONS));
    return Operation({
      operationId: `import${pluralOf(record, flat)}`,
      text: {
        summary: `Import ${pluralWordsOf(record)} from a file`,
        description: [
          'Reads a CSV file with a header row, or a file of JSON lines, of up to 64 MiB and 100,000 rows. Columns are the properties of the create body. A reference is given by its id or by a text that names one record, such as `site.name`. Read-only columns are ignored, so an export can be imported again. With `mode=upsert` and `key=id`, administrators can give the ids of new records. Faults of rows name the row, its line and the column.',
          ...(otherFile ? [otherFile.text] : []),
        ].join('\n\n'),
      },
      upload: { ...importExamples(body), ...(otherFile && { [otherFile.type]: otherFile.example }) },
      response: ImportResult,
      ...(otherFile && { alternative: { name: `Import${pluralOf(record, flat)}`, response: otherFile.response } }),
      query: [...Object.values(IMPORT_OPTIONS), ...own.filter(({ name }) => !shared.has(name))],
      status: 200,
      rehearsed: true,
      errors: otherFile ? [409] : [],
    });
  },
};
