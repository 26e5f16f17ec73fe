import { ApiProperty } from '@nestjs/swagger';
import { hasRole, meets, type Caller } from '../access/access.js';
import type { Class } from '../fields/field.js';
import { areaOf } from '../fields/record-entity.js';
import { resourceNameOf, type RecordSql } from '../lists/record-sql.js';
import { writingOf } from '../records/record-access.js';
import { mayReadEntries } from './readable-entries.js';

/** A record that a restore leaves unchanged, or does not restore. */
export class LeftRecord {
  @ApiProperty({ description: 'The record', format: 'uuid' }) id!: string;
  @ApiProperty({
    description: 'Its name at the time of the delete',
    type: 'string',
    nullable: true,
    example: 'C-00142',
  })
  name!: string | null;
}

/** Maximum number of records of a resource in a response. */
const MOST_NAMED = 100;

/** The records of one resource that a restore has left out. */
export class LeftOutRecords {
  @ApiProperty({ description: 'Resource of what is left out', example: 'cables' }) resource!: string;
  @ApiProperty({ description: 'Number of records', type: 'integer', minimum: 1, example: 1 }) count!: number;
  @ApiProperty({
    description: `The first ${MOST_NAMED} of them; empty if the caller may not read them`,
    type: () => [LeftRecord],
  })
  records!: LeftRecord[];
}

/** The property of the answer to a restore, beside `data`. */
export const LEFT_OUT = {
  type: 'array',
  description:
    'Only if something is left out: parts that would break a rule or whose other record is gone, and with `relink` references that would break a rule or that the caller may not write',
  items: { $ref: `#/components/schemas/${LeftOutRecords.name}` },
};

export const mayWrite = (caller: Caller, record: Class): boolean =>
  areaOf(record) === null ? hasRole(caller, 'admin') : meets(caller, writingOf(record));

/** The records that a restore leaves out. */
export class LeftOut {
  private readonly byTable = new Map<string, { record: Class; records: Map<string, LeftRecord> }>();

  add({ table, record }: RecordSql, left: readonly LeftRecord[]): void {
    if (left.length === 0) return;
    const known = this.byTable.get(table) ?? { record, records: new Map<string, LeftRecord>() };
    for (const { id, name } of left) known.records.set(id, { id, name });
    this.byTable.set(table, known);
  }

  /** The part that the caller may see; undefined if it is empty. */
  besideFor(caller: Caller): { leftOut: LeftOutRecords[] } | undefined {
    if (this.byTable.size === 0) return undefined;
    const leftOut = [...this.byTable].map(([table, { record, records }]) => ({
      resource: resourceNameOf(table),
      count: records.size,
      records: mayReadEntries(caller, areaOf(record)) ? [...records.values()].slice(0, MOST_NAMED) : [],
    }));
    return { leftOut };
  }
}
