import { LineField, NameField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';

/** A virtual routing and forwarding instance: a routing table of its own. */
@RecordEntity('vrfs', { area: 'network', label: 'VRF', plural: 'VRFs' })
export class Vrf extends StoredRecord {
  @NameField('Name', { example: 'customer-a' }) name!: string;
  @LineField('Route distinguisher (RFC 4364)', { example: '65000:100', searchable: true })
  routeDistinguisher!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
