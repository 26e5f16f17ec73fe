import { BooleanField, LineField, NameField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';

// Raised by the trigger `vrfs_enforce_unique` (`src/schema/functions/check_enforce_unique.sql`).
defineRule(
  'uq_vrfs_enforce_unique',
  'enforceUnique',
  'must not be true while a host is recorded twice in the VRF',
  'conflict',
);

/** A virtual routing and forwarding instance: a routing table of its own. */
@RecordEntity('vrfs', { area: 'network', label: 'VRF', plural: 'VRFs' })
export class Vrf extends StoredRecord {
  @NameField('Name', { example: 'customer-a' }) name!: string;
  @LineField('Route distinguisher (RFC 4364)', { example: '65000:100', searchable: true })
  routeDistinguisher!: string | null;
  @BooleanField(
    'Whether a host may be recorded only once in the VRF, whatever the prefix length. Addresses with the role anycast, vip, vrrp, hsrp, glbp or carp are exempt',
  )
  enforceUnique!: boolean;
  @TextField('Description', { searchable: true }) description!: string | null;
}
