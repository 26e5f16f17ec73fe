import { areaOf, withheldOf } from '../fields/record-entity.js';
import { isLine } from '../fields/field-types.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { columnOf, resourceOf } from '../records/resource.js';
import type { RecordTable } from './migrations/record-table.js';

/** What makes the table of a record class one of records: what `trackRecords` is given when its migration is written. */
export function recordTableOf(record: Class<StoredRecord>): RecordTable {
  const resource = resourceOf(record);
  const { fields, searched } = resource;
  const isPart = fields.some(({ onDelete }) => onDelete === 'CASCADE');
  const name = fields.find((candidate) => candidate.naming)?.columnName;
  const withheld = [...resource.secrets.map((property) => resource.field(property).columnName), ...withheldOf(record)];
  const lines = searched.filter(isLine);
  const texts = searched.filter((candidate) => !isLine(candidate));
  return {
    area: areaOf(record) ?? undefined,
    ...(name !== 'name' && { name }),
    ...(withheld.length > 0 && { secrets: withheld }),
    ...(!isPart && {
      list: {
        lines: lines.map(({ columnName }) => columnName),
        texts: texts.map((text) => text.type.text?.(columnOf(text, '')) ?? text.columnName),
      },
    }),
  };
}
