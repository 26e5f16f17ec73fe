import { ComputedField, EnumField, PointerField, UuidField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { snakeCase } from '../../database/naming.js';
import { TARGETED_RECORDS, TARGETED_RESOURCES, targetName, type TargetedResource } from './targeted-records.js';

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
  regions: 'regionId',
  circuits: 'circuitId',
  'power-feeds': 'powerFeedId',
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
    @PointerField(TARGETED_RECORDS.sites, 'recordId') siteId!: string | null;
    @PointerField(TARGETED_RECORDS.locations, 'recordId') locationId!: string | null;
    @PointerField(TARGETED_RECORDS.racks, 'recordId') rackId!: string | null;
    @PointerField(TARGETED_RECORDS.devices, 'recordId') deviceId!: string | null;
    @PointerField(TARGETED_RECORDS.clusters, 'recordId') clusterId!: string | null;
    @PointerField(TARGETED_RECORDS['virtual-machines'], 'recordId') virtualMachineId!: string | null;
    @PointerField(TARGETED_RECORDS['ip-addresses'], 'recordId') ipAddressId!: string | null;
    @PointerField(TARGETED_RECORDS.assets, 'recordId') assetId!: string | null;
    @PointerField(TARGETED_RECORDS['software-licences'], 'recordId') softwareLicenceId!: string | null;
    @PointerField(TARGETED_RECORDS.regions, 'recordId') regionId!: string | null;
    @PointerField(TARGETED_RECORDS.circuits, 'recordId') circuitId!: string | null;
    @PointerField(TARGETED_RECORDS['power-feeds'], 'recordId') powerFeedId!: string | null;
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
