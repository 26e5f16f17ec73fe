import { areaOf, isPart, withheldOf } from '../fields/record-entity.js';
import { isLine } from '../types/text.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { resourceOf } from '../projection/resource.js';
import type { RecordTable } from './migrations/record-table.js';

/** Columns of a record's table whose values are counted. */
export const countedOf = (record: Class<StoredRecord>): string[] =>
  resourceOf(record)
    .stored.filter(({ counted }) => counted)
    .map(({ columnName }) => columnName);

/** The properties of a record class's table that `trackRecords` needs when its migration is written. */
export function recordTableOf(record: Class<StoredRecord>): RecordTable {
  const resource = resourceOf(record);
  const { stored, searched } = resource;
  const name = stored.find((candidate) => candidate.naming)?.columnName;
  const withheld = [...resource.secrets.map((property) => resource.field(property).columnName), ...withheldOf(record)];
  const lines = searched.filter(isLine);
  const texts = searched.filter((candidate) => !isLine(candidate));
  const columns = {
    lines: lines.map(({ columnName }) => columnName),
    texts: texts.map(({ type, columnName }) => (type.text ? `(${type.text(columnName)})` : columnName)),
  };
  return {
    area: areaOf(record) ?? undefined,
    ...(name !== 'name' && { name }),
    ...(withheld.length > 0 && { secrets: withheld }),
    ...(isPart(record) ? lines.length > 0 && { searched: columns } : { list: columns }),
  };
}
