import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import type { Class, Concrete } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { labelOf, pluralLabelOf, withArticle } from '../fields/record-entity.js';
import { capital } from '../fields/words.js';
import {
  Operation,
  type DocumentedHeaders,
  type DocumentedList,
  type DocumentedQuery,
  type Planned,
} from '../openapi/operation.js';
import type { DocumentedParameter } from '../openapi/schema.js';
import { Tag } from '../openapi/tags.js';
import { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import { changesList } from '../change-log/record-history.js';
import { LEFT_OUT, LeftOutRecords, LeftRecord } from '../change-log/left-out.js';
import { RELINK } from '../change-log/record-restore.js';
import { FILE, PAGE } from '../lists/parameters/paging.js';
import { DRY_RUN } from '../lists/parameters/query-options.js';
import { tableOf } from '../lists/record-sql.js';
import { RecordReferences } from '../records/references-to.js';
import type { ResourceService } from '../records/resource.service.js';
import type { Bodies } from './bulk/bulk-body.js';
import { bulkModels } from './bulk.models.js';
import { ImportResult, importExamples } from './import.models.js';
import { IMPORT_OPTIONS } from './import/import.options.js';
import type { OtherFile, ResourceDefinition } from './resource.definition.js';
import { CHANGE_SET, PLANNED } from './plans.js';
import { summaryModel } from './summary.models.js';

/** `OnCallSchedules` of the table on_call_schedules. */
const pluralOf = (record: Class): string => tableOf(record).split('_').map(capital).join('');

const pluralWordsOf = (record: Class): string => pluralLabelOf(record, tableOf(record));

/** Gives a controller the tag of a record, its plural in words; `about` describes it. */
export const TagOf = (record: Class, about?: string): ClassDecorator => Tag(capital(pluralWordsOf(record)), about);

/** The operations that every resource has, as the OpenAPI document shows them. */
export function operationsOf(
  record: Class,
  { text = {}, flat }: Pick<ResourceDefinition<StoredRecord, ResourceService>, 'text' | 'flat'>,
) {
  // The flat list of parts is a second resource with the same records.
  const name = `${flat ? 'Flat' : ''}${record.name}`;
  const plural = `${flat ? 'Flat' : ''}${pluralOf(record)}`;
  const [label, one, words] = [labelOf(record), withArticle(record), pluralWordsOf(record)];
  return {
    list: (list: DocumentedList, fixed?: readonly string[], beside?: Readonly<Record<string, object>>) =>
      Operation({
        operationId: `list${plural}`,
        text: {
          summary: `List ${words}`,
          description:
            'Pages, sorts, searches and filters. Several filters must all match; a repeated filter matches any of its values. Unknown parameters are refused.',
          ...text.list,
        },
        list,
        fixed,
        beside,
        response: record,
        status: 200,
      }),
    summary: (list: DocumentedList) =>
      Operation({
        operationId: `list${name}Summary`,
        text: {
          summary: `Count ${words} by group`,
          description:
            'The number of records for each value of a field, or for each combination of values of up to three fields, and sums of numeric fields. The filters are those of the list. Null is a group too. Groups are in the order of their values, nulls last. More than 10,000 groups are refused. With `format=svg` they are a picture: a bar chart.',
        },
        list,
        summarizes: record,
        response: summaryModel(record),
        picture: true,
        status: 200,
      }),
    create: (body: Class, { created = record, query, conflicts = false }: CreateOperation = {}) =>
      Operation({
        operationId: `create${name}`,
        text: {
          summary: `Create ${one}`,
          description: 'Returns the whole new record, with the defaults of the fields that were not given.',
          ...text.create,
        },
        body,
        response: created,
        record: true,
        query,
        status: 201,
        ...plannedBy(query),
        errors: query?.includes(CHANGE_SET) ? [404, 409] : conflicts ? [409] : [],
      }),
    get: (query: DocumentedQuery) =>
      Operation({
        operationId: `get${name}`,
        text: {
          summary: `Read ${one}`,
          description: 'The current record, or with `asOf` the record as it was at that time.',
          ...text.get,
        },
        response: record,
        record: true,
        query,
        status: 200,
        // `asOf` may name a time whose entries were deleted.
        errors: [410],
        finds: label,
      }),
    changes: () =>
      Operation({
        operationId: `list${name}Changes`,
        text: {
          summary: `List the changes of ${one}`,
          description: 'The entries of the record in the change log, even after it was deleted.',
        },
        list: changesList,
        fixed: ['resource', 'recordId', 'area'],
        response: ChangeLogEntry,
        status: 200,
        finds: label,
      }),
    references: () =>
      Operation({
        operationId: `list${name}References`,
        text: {
          summary: `List the references to ${one}`,
          description:
            'The number of records that refer to it, by resource and field, and the effect of deleting it. Records that the caller may not read are counted too.',
        },
        list: { parameters: [...PAGE, ...FILE] },
        response: RecordReferences,
        status: 200,
        finds: label,
      }),
    restore: () =>
      applyDecorators(
        ApiExtraModels(LeftOutRecords, LeftRecord),
        Operation({
          operationId: `restore${name}`,
          text: {
            summary: `Restore a deleted ${label}`,
            description:
              'Restores the record as it was when it was deleted, with its id and parts but without secrets. References to it stay cleared unless `relink` is given. Refused if it refers to a record that no longer exists, or if a unique value of it is taken. Takes no body.',
          },
          response: record,
          record: true,
          beside: { leftOut: LEFT_OUT },
          status: 200,
          query: [RELINK],
          errors: [403, 409],
          finds: label,
        }),
      ),
    update: (
      body: Class,
      conflicts: boolean,
      headers?: DocumentedHeaders,
      query: readonly DocumentedParameter[] = [],
    ) =>
      Operation({
        operationId: `update${name}`,
        text: {
          summary: `Change ${one}`,
          description: 'Changes the fields that are sent and no others; `null` clears a field that may be null.',
          ...text.update,
        },
        body,
        partial: true,
        response: record,
        record: true,
        status: 200,
        conditional: true,
        headers,
        query,
        ...plannedBy(query),
        errors: conflicts || query.length > 0 ? [409] : [],
        finds: label,
      }),
    remove: (query: readonly DocumentedParameter[], errors: readonly number[] = [], isPlanned = false) =>
      Operation({
        operationId: `delete${name}`,
        text: {
          summary: `Delete ${one}`,
          description: 'References to it become null and its parts are deleted with it.',
          ...text.delete,
        },
        query,
        status: 204,
        conditional: true,
        ...plannedBy(query),
        errors: isPlanned ? [...errors, 409] : errors,
        finds: label,
      }),
    bulk: (bodies: Bodies) =>
      Operation({
        operationId: `bulk${plural}`,
        text: {
          summary: `Create, change and delete ${words}`,
          description:
            'Runs up to 1,000 operations in their order and in one transaction: all of them, or none. Every fault names its operation, such as `operations[3].data.name`. The body may be up to 16 MiB.',
        },
        ...bulkModels(record, bodies, name, plural),
        query: [DRY_RUN, CHANGE_SET],
        status: 200,
        rehearsed: true,
        planned: PLANNED,
        errors: [404, 409, 412],
      }),
    import: (body: Concrete, otherFile?: OtherFile<never>) => {
      const others = Object.values(otherFile?.options ?? {});
      return Operation({
        operationId: `import${plural}`,
        text: {
          summary: `Import ${words} from a file`,
          description: [
            'Reads a CSV file with a header row, or a file of JSON lines, of up to 64 MiB and 100,000 rows. Columns are the properties of the create body. A reference is given by its id or by a text that names one record, such as `site.name`. Read-only columns are ignored, so an export can be imported again. With `mode=upsert` and `key=id`, administrators can give the ids of new records. Faults of rows name the row, its line and the column.',
            ...(otherFile ? [otherFile.text] : []),
          ].join('\n\n'),
        },
        upload: { ...importExamples(body), ...(otherFile && { [otherFile.type]: otherFile.example }) },
        response: ImportResult,
        ...(otherFile && { alternative: { name: `Import${plural}`, response: otherFile.response } }),
        query: [...Object.values(IMPORT_OPTIONS), ...others.filter(({ name: own }) => !(own in IMPORT_OPTIONS))],
        status: 200,
        rehearsed: true,
        planned: PLANNED,
        errors: [404, 409],
      });
    },
  };
}

/** The response to a request that is recorded in a change set, if the operation has the parameter. */
const plannedBy = (query: readonly DocumentedParameter[] = []): { planned?: Planned } =>
  query.includes(CHANGE_SET) ? { planned: PLANNED } : {};

/** The documentation of a create besides its body. */
interface CreateOperation {
  created?: Class;
  query?: readonly DocumentedParameter[];
  conflicts?: boolean;
}
