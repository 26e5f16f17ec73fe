import { ComputedField, EnumField, TypedField, UuidField } from '../../fields/fields.js';
import type { Class } from '../../fields/field.js';
import { StoredRecord } from '../../fields/record.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { uuid } from '../../fields/types/uuid.js';
import { snakeCase } from '../../database/naming.js';
import { TARGETED_RECORDS, TARGETED_RESOURCES, targetName, type TargetedResource } from './targeted-records.js';

/** The foreign key to a targeted record. The trigger `point_target` sets it from `resource` and `recordId`. */
const Pointer = (record: () => Class): PropertyDecorator =>
  TypedField(uuid, 'The targeted record', {
    references: record,
    onDelete: 'CASCADE',
    readOnly: true,
    hidden: true,
    shownAs: 'recordId',
  });

const POINTERS: Record<TargetedResource, string> = {
  sites: 'siteId',
  locations: 'locationId',
  racks: 'rackId',
  devices: 'deviceId',
  clusters: 'clusterId',
  'virtual-machines': 'virtualMachineId',
  'ip-addresses': 'ipAddressId',
  assets: 'assetId',
  'software-licences': 'softwareLicenceId',
};

/** A record that an incident, a change or a maintenance window affects. It is deleted with that record. */
export interface Target extends StoredRecord {
  resource: TargetedResource;
  recordId: string;
  name: string | null;
}

/**
 * Base class of the targets of one kind of record.
 * @param owner whose targets they are, in words
 */
export function TargetOf(owner: string): abstract new () => Target {
  abstract class TargetOfOwner extends StoredRecord {
    @EnumField(`Resource of the record that the ${owner} affects`, 'TargetedResource', TARGETED_RESOURCES, {
      required: true,
      example: 'devices',
    })
    resource!: TargetedResource;
    @UuidField(`Record that the ${owner} affects`, {
      required: true,
      refersBy: { property: 'resource', records: TARGETED_RECORDS },
    })
    recordId!: string;
    @ComputedField(
      'Name of the record; null in a past state of a target if the record no longer exists',
      (t) => targetName(`${t}.resource`, `${t}.record_id`),
      { type: 'string', example: 'ams-core-sw-01' },
      { nullable: true },
    )
    name!: string | null;
    @Pointer(TARGETED_RECORDS.sites) siteId!: string | null;
    @Pointer(TARGETED_RECORDS.locations) locationId!: string | null;
    @Pointer(TARGETED_RECORDS.racks) rackId!: string | null;
    @Pointer(TARGETED_RECORDS.devices) deviceId!: string | null;
    @Pointer(TARGETED_RECORDS.clusters) clusterId!: string | null;
    @Pointer(TARGETED_RECORDS['virtual-machines']) virtualMachineId!: string | null;
    @Pointer(TARGETED_RECORDS['ip-addresses']) ipAddressId!: string | null;
    @Pointer(TARGETED_RECORDS.assets) assetId!: string | null;
    @Pointer(TARGETED_RECORDS['software-licences']) softwareLicenceId!: string | null;
  }
  return TargetOfOwner;
}

/**
 * Sets the error messages of the constraints of a table of targets.
 * @param owner whose targets they are, in words
 */
export function defineTargetRules(table: string, owner: string): void {
  defineRule(`uq_${table}_record`, 'recordId', `is already a target of the ${owner}`);
  for (const pointer of Object.values(POINTERS)) {
    defineRule(`fk_${table}_${snakeCase(pointer)}`, 'recordId', 'does not refer to an existing record');
  }
}
