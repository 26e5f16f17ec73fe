import { ApiProperty } from '@nestjs/swagger';
import { getMetadataArgsStorage } from 'typeorm';
import { identifier, join, literal, raw, sql, type Sql } from '../database/sql.js';
import type { DefinedFields } from '../fields/custom/defined-fields.js';
import { resourceOf } from '../fields/record-entity.js';
import { fieldsOf, isStored, type Class, type StoredField } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import type { ComputedList } from '../lists/computed-list.js';
import { columnOf, declaredSqlOf, resourceNameOf, type RecordSql, tableOf } from '../lists/record-sql.js';
import { Order } from '../lists/order.js';

/** The references of one kind to a record. */
export class RecordReferences {
  @ApiProperty({ description: 'Resource of the records that refer to it', example: 'device-ports' }) resource!: string;
  @ApiProperty({ description: 'Their field that refers to it', example: 'deviceId' }) field!: string;
  @ApiProperty({ description: 'Number of these records', type: 'integer', minimum: 1, example: 48 }) count!: number;
  @ApiProperty({
    description:
      'Effect of deleting the record: `cleared` sets the field to null, `deleted` deletes these records too. `refused`: the delete is refused with 409 because of these records',
    enum: ['cleared', 'deleted', 'refused'],
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
      .map((field) => ({ resource: declaredSqlOf(target as Class<StoredRecord>), field })),
  );

/**
 * The references to a record.
 * @param fields the custom fields that may refer to it
 * @param condition must hold for the list to have rows
 */
export function referencesTo(record: Class, fields: DefinedFields, id: string, condition: Sql): ComputedList {
  const target = sql`${id}::uuid`;
  const kinds = referrersOf(record).map(({ resource: { table }, field }) => {
    const effect = literal(field.onDelete === 'CASCADE' ? 'deleted' : 'cleared');
    const counted = sql`SELECT ${literal(resourceNameOf(table))} AS resource, ${literal(field.shownAs ?? field.property)} AS field,
        count(*)::int AS count, ${field.keeps ? sql`CASE WHEN ${raw(field.keeps('t'))} THEN 'refused' ELSE ${effect} END` : effect} AS effect
      FROM ${identifier(table)} t WHERE ${raw(columnOf(field))} = ${target}`;
    return field.keeps ? sql`${counted} GROUP BY 4` : counted;
  });
  const referrers = fields.referrersOf(record);
  // The index of the custom values serves this.
  const custom = referrers.map(
    ({
      record: owner,
      field: { property, custom: own },
    }) => sql`SELECT ${literal(resourceOf(owner)!)} AS resource, ${literal(property)} AS field,
        count(*)::int AS count, 'cleared' AS effect
      FROM ${identifier(tableOf(owner))} t WHERE t.custom_fields @> jsonb_build_object(${literal(own!.definition.storedAs)}, ${target})`,
  );
  if (referrers.some(({ field }) => field.custom!.definition.default !== null)) {
    custom.push(sql`SELECT ${literal('custom-fields')} AS resource, ${literal('default')} AS field, count(*)::int AS count, 'cleared' AS effect
      FROM custom_fields t WHERE t.type = 'reference' AND t.default_value = to_jsonb(${target})`);
  }
  const none = sql`SELECT NULL::text AS resource, NULL::text AS field, 0 AS count, NULL::text AS effect WHERE ${target} IS NULL`;
  const rows = kinds.length + custom.length > 0 ? join([...kinds, ...custom], ' UNION ALL ') : none;
  return {
    name: 'references',
    rows: sql`SELECT * FROM (${rows}) kinds WHERE count > 0 AND ${condition}`,
    columns: ['resource', 'field', 'count', 'effect'].map((name) => ({
      name,
      sql: `t.${name}`,
      isText: name !== 'count',
    })),
    order: new Order(['t.resource COLLATE "C"', 't.field COLLATE "C"', 't.effect COLLATE "C"']),
  };
}
