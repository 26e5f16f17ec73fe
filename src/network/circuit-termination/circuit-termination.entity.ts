import { Index } from 'typeorm';
import { CountField, EnumField, LineField, OwnerField, ReferenceField, TextField } from '../../fields/fields.js';
import { CableIdField } from '../cable-id.field.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import { Circuit } from '../circuit/circuit.entity.js';
import { Site } from '../site/site.entity.js';

defineRule('ix_circuit_terminations_circuit_id_side', 'side', 'is already taken by the other end of the circuit');
// Raised by a trigger (`src/schema/functions/keep_fixed.sql`).
defineRule('ck_circuit_terminations_side_fixed', 'side', 'cannot be changed');
defineRule('ck_circuit_terminations_circuit_id_fixed', 'circuitId', 'cannot be changed');

/** One of the two ends of a circuit. */
@RecordEntity('circuit_terminations', { area: 'network', listed: true })
@Index(['circuitId', 'side'], { unique: true })
@Rule(
  'ck_circuit_terminations_place',
  'site_id IS NULL OR provider_network IS NULL',
  'providerNetwork',
  'must be null if siteId is set: a circuit ends at a site or in a network',
)
export class CircuitTermination extends StoredRecord {
  @OwnerField(() => Circuit, 'Circuit that ends here', { indexed: false }) circuitId!: string;
  @EnumField('End of the circuit. It cannot be changed', 'CircuitSide', ['A', 'Z'], {
    required: true,
    naming: true,
    fixed: true,
  })
  side!: string;
  @ReferenceField(() => Site, 'Site where it ends') siteId!: string | null;
  @LineField('Network of the provider that it ends in, instead of a site', { example: 'AMS-IX', searchable: true })
  providerNetwork!: string | null;
  @CountField('Speed of the port in kbit/s', { example: 10_000_000 }) portSpeedKbps!: number | null;
  @CountField('Speed from the site in kbit/s, if it is another one', { example: 1_000_000 })
  upstreamSpeedKbps!: number | null;
  @LineField('Identifier of the cross connect', { example: 'XC-20451', searchable: true }) crossConnect!: string | null;
  @LineField('Patch panel and ports where it is handed over', { example: 'PP 0102, ports 11 and 12', searchable: true })
  patchPanel!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
  @CableIdField() cableId!: string | null;
}
