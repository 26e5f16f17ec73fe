import { Index } from 'typeorm';
import { BooleanField, ComputedField, ReferenceField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { EXAMPLE_ID, idOf } from '../../openapi/schema.js';
import { TenantGroup } from '../../people/tenant-group/tenant-group.entity.js';
import { ipFamily } from '../ip-address/address.field.js';
import { NO_VRF, parentOf, partOf, sizeOf, spaceOf, usedIn } from '../address-space.js';
import { Site } from '../site/site.entity.js';
import { Vlan } from '../vlan/vlan.entity.js';
import { Vrf } from '../vrf/vrf.entity.js';
import { NetworkField } from './network.field.js';

defineRule('uq_prefixes_space', 'prefix', 'is already taken by another prefix with the same vrfId');

// OFFSET 0 keeps the planner from computing it for each column.
// oxlint-disable-next-line sql/no-joined -- of the declared alias of a table
const used = { alias: 'used', sql: (t: string): string => `SELECT ${usedIn(t)} AS hosts OFFSET 0` };

/** A network of an address plan. Its place in the tree of prefixes is computed, not stored. */
@RecordEntity('prefixes', { area: 'network', apart: ['vrfId'] })
@Index('uq_prefixes_space', { synchronize: false })
@Index('ix_prefixes_prefix_order', { synchronize: false })
@Index('ix_prefixes_prefix_within', { synchronize: false })
export class Prefix extends StoredRecord {
  @NetworkField('Network in CIDR notation; its host bits must be zero', {
    required: true,
    naming: true,
    searchable: true,
  })
  prefix!: string;
  @ReferenceField(() => Vrf, 'Routing table that the prefix is in. A prefix is unique within it', {
    // Without its VRF it would move to the address space without a VRF.
    keeps: (t) => `EXISTS (SELECT FROM prefixes p WHERE ${spaceOf('p')} = '${NO_VRF}' AND p.prefix = ${t}.prefix)`,
  })
  vrfId!: string | null;
  @ReferenceField(() => Site, 'Site where the prefix is used') siteId!: string | null;
  @ReferenceField(() => Vlan, 'VLAN that carries the prefix') vlanId!: string | null;
  @ReferenceField(() => TenantGroup, 'Tenant group that the prefix serves') tenantGroupId!: string | null;
  @WordField('Status', ['active', 'container', 'reserved', 'deprecated'], { default: 'active', counted: true })
  status!: string;
  @WordField('Role', ['access', 'management', 'loopback', 'transit', 'storage']) role!: string | null;
  @BooleanField('Every address is usable, including the network and broadcast addresses', { label: 'Is a pool' })
  isPool!: boolean;
  @TextField('Description', { searchable: true }) description!: string | null;
  @ComputedField('IP version', (t) => `family(${t}.prefix)`, { ...ipFamily.schema({}), example: 4 })
  family!: number;
  @ComputedField(
    'Most specific prefix of the same VRF that contains this one',
    (t) => `${parentOf(t)}::text`,
    { ...idOf('prefixes'), example: EXAMPLE_ID },
    { nullable: true, references: () => Prefix },
  )
  parentId!: string | null;
  @ComputedField(
    'Number of addresses, as a decimal number',
    (t) => `${sizeOf(`${t}.prefix`)}::text`,
    { type: 'string', pattern: '^[1-9][0-9]*$', example: '256' },
    { decimal: true },
  )
  size!: string;
  @ComputedField(
    'Distinct hosts that are recorded in the VRF inside the prefix, children included',
    () => 'used.hosts',
    { type: 'integer', format: 'int64', minimum: 0, example: 12 },
    { source: used },
  )
  usedAddresses!: number;
  @ComputedField(
    '`usedAddresses` divided by `size`, from 0 to 1',
    (t) => partOf('used.hosts', `${t}.prefix`),
    { type: 'number', minimum: 0, maximum: 1, example: 0.046875 },
    { source: used },
  )
  utilisation!: number;
}
