import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from '../database/naming.js';
import { areaOf, descriptionOf, hasCustomFields, isPart } from '../fields/record-entity.js';
import { isLine } from '../fields/types/text.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { declaredSqlOf } from '../lists/record-sql.js';
import type { RecordTable } from './record-table.js';

/** The table of a record class, as its entity declares it. */
export function recordTableOf(record: Class<StoredRecord>): RecordTable {
  const resource = declaredSqlOf(record);
  const { table, stored, searched } = resource;
  const lines = searched.filter(isLine);
  // A part without names has no search index, because the global search does not read it.
  const texts = isPart(record) && lines.length === 0 ? [] : searched.filter((candidate) => !isLine(candidate));
  return {
    table,
    columns: getMetadataArgsStorage()
      .columns.filter(({ target }) => target === record || record.prototype instanceof (target as Class))
      .map(({ propertyName, options }) => options.name ?? snakeCase(propertyName)),
    area: areaOf(record) ?? undefined,
    name: stored.find((candidate) => candidate.naming)?.columnName ?? 'name',
    secrets: [
      ...resource.secrets.map((property) => resource.field(property).columnName),
      ...(descriptionOf(record).withheld ?? []),
    ],
    counted: stored.filter(({ counted }) => counted).map(({ columnName }) => columnName),
    listed: !isPart(record),
    slugs: stored.filter(({ property }) => property === 'slug').map(({ columnName }) => columnName),
    custom: hasCustomFields(record),
    searched: {
      optional: [...lines, ...texts].every(({ nullable }) => nullable),
      lines: lines.map(({ columnName }) => columnName),
      texts: texts.map(({ type, columnName }) => (type.text ? `(${type.text(columnName)})` : columnName)),
    },
  };
}
