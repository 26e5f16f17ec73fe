import { snakeCase } from '../database/naming.js';
import { defineRule } from '../fields/bodies/rules.js';
import type { Class } from '../fields/field.js';
import { ComputedField, EnumField, PointerField, UuidField } from '../fields/fields.js';
import { namingOf } from '../fields/naming.js';
import { StoredRecord } from '../fields/record.js';
import { tableOf, valueOf } from '../lists/record-sql.js';

/** The records that a link may name, by the names of their resources. */
type LinkedRecords<R extends string = string> = Readonly<Record<R, () => Class>>;

/** A part that names a record of one of several resources. It is deleted with that record. */
export interface RecordLink<R extends string = string> extends StoredRecord {
  resource: R;
  recordId: string;
  name: string | null;
}

/** Descriptions of the two properties of a link, without a full stop. */
interface LinkDescription {
  resource: string;
  recordId: string;
  /** Name of the set of resources in the document. */
  enumName: string;
}

/**
 * Base class of a part that names a record by `resource` and `recordId`. It has a hidden foreign key to each possible resource. The
 * trigger in `point_target.sql` sets it, and the table of the part needs that trigger.
 * @param records that can be named
 */
export function LinkTo<R extends string>(
  records: LinkedRecords<R>,
  { resource, recordId, enumName }: LinkDescription,
): abstract new () => RecordLink<R> {
  const resources = Object.keys(records) as R[];
  abstract class Link extends StoredRecord {
    @EnumField(resource, enumName, resources, { required: true, example: 'devices' })
    resource!: R;
    @UuidField(recordId, { required: true, refersBy: { property: 'resource', records } })
    recordId!: string;
    @ComputedField(
      'Name of the record; null in a past state if the record no longer exists',
      (t) => linkedName(records, `${t}.resource`, `${t}.record_id`),
      { type: 'string', example: 'ams-core-sw-01' },
      { nullable: true },
    )
    name!: string | null;
  }
  for (const of of resources) PointerField(records[of], 'recordId')(Link.prototype, pointerTo(of));
  return Link;
}

/**
 * Sets the error messages of the constraints of a table of links.
 * @param twice message for a second link to the same record; undefined if the table allows it
 */
export function defineLinkRules(table: string, records: LinkedRecords, twice?: string): void {
  if (twice !== undefined) defineRule(`uq_${table}_record`, 'recordId', twice);
  for (const resource of Object.keys(records)) {
    defineRule(`fk_${table}_${snakeCase(pointerTo(resource))}`, 'recordId', 'does not refer to an existing record');
  }
}

/**
 * SQL of the name of a linked record; null if there is no such record.
 * @param resource SQL of its resource @param id SQL of its id
 */
export const linkedName = (records: LinkedRecords, resource: string, id: string): string =>
  `(CASE ${resource} ${Object.entries(records)
    .map(([name, recordOf]) => {
      const record = recordOf();
      return `WHEN '${name}' THEN (SELECT ${valueOf(namingOf(record)!, 'linked')}::text FROM ${tableOf(record)} linked WHERE linked.id = ${id})`;
    })
    .join(' ')} END)`;

/** The hidden reference of a link to records of a resource: `virtualMachineId` for `virtual-machines`. The trigger names its column alike. */
const pointerTo = (resource: string): string =>
  `${resource.replace(/(?<=ss)es$|s$/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
