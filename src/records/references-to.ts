import { ApiProperty } from '@nestjs/swagger';
import { getMetadataArgsStorage } from 'typeorm';
import { fieldsOf, isStored, type Class, type StoredField } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import type { ComputedList } from '../lists/computed-list.js';
import { columnOf, resourceNameOf, recordSqlOf, type RecordSql } from '../lists/record-sql.js';

/** The references of one kind to a record. */
export class RecordReferences {
  @ApiProperty({ description: 'Resource of the records that refer to it', example: 'device-ports' }) resource!: string;
  @ApiProperty({ description: 'Their field that refers to it', example: 'deviceId' }) field!: string;
  @ApiProperty({ description: 'Number of these records', type: 'integer', minimum: 1, example: 48 }) count!: number;
  @ApiProperty({
    description:
      'What a delete of the record does: `cleared` sets the field to null, `deleted` deletes the records too',
    enum: ['cleared', 'deleted'],
    enumName: 'DeleteEffect',
  })
  effect!: string;
}

/** A reference field, with the resource that has it. */
export interface Referrer {
  resource: RecordSql;
  field: StoredField;
}

/** The fields of all records that refer to records of a class. */
export const referrersOf = (record: Class): Referrer[] =>
  getMetadataArgsStorage().tables.flatMap(({ target }) =>
    fieldsOf(target as Class)
      .filter(isStored)
      .filter(({ references }) => references?.() === record)
      .map((field) => ({ resource: recordSqlOf(target as Class<StoredRecord>), field })),
  );

/**
 * What refers to the record with the id `$1`.
 * @param condition SQL that must hold for the list to have rows
 */
export function referencesTo(record: Class, condition: string): Omit<ComputedList, 'values'> {
  const kinds = referrersOf(record).map(({ resource: { table }, field }) => {
    const effect = field.onDelete === 'CASCADE' ? 'deleted' : 'cleared';
    return `SELECT '${resourceNameOf(table)}' AS resource, '${field.shownAs ?? field.property}' AS field, count(*)::int AS count, '${effect}' AS effect
      FROM ${table} t WHERE ${columnOf(field)} = $1::uuid`;
  });
  const none = `SELECT NULL::text AS resource, NULL::text AS field, 0 AS count, NULL::text AS effect WHERE $1::uuid IS NULL`;
  return {
    name: 'references',
    rows: `SELECT * FROM (${kinds.join(' UNION ALL ') || none}) kinds WHERE count > 0 AND ${condition}`,
    columns: ['resource', 'field', 'count', 'effect'].map((name) => ({
      name,
      sql: `t.${name}`,
      isText: name !== 'count',
    })),
    orderBy: 't.resource COLLATE "C", t.field COLLATE "C"',
  };
}
