import { Index } from 'typeorm';
import { CountField, DateField, NameField, ReferenceField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule, Span } from '../../fields/bodies/rules.js';
import { TenantGroup } from '../../people/tenant-group/tenant-group.entity.js';
import { Contract } from '../../procurement/contract/contract.entity.js';
import { Vendor } from '../../procurement/vendor/vendor.entity.js';

defineRule(
  'ix_circuits_vendor_id_circuit_number',
  'circuitNumber',
  'is already taken by another circuit of the vendor',
);

/** A line that a carrier provides, with up to two ends. */
@RecordEntity('circuits', { area: 'network' })
@Index(['vendorId', 'circuitNumber'], { unique: true })
@Span('installDate', 'terminationDate')
export class Circuit extends StoredRecord {
  @NameField('Number that the carrier gives the circuit, unique among those of the vendor', {
    example: 'AMS-LON-10042',
  })
  circuitNumber!: string;
  @ReferenceField(() => Vendor, 'Vendor that provides it', { indexed: false }) vendorId!: string | null;
  @ReferenceField(() => Contract, 'Contract that it is part of') contractId!: string | null;
  @WordField('Kind of circuit', ['internet', 'mpls', 'ethernet', 'wavelength', 'dark-fibre', 'peering'])
  type!: string | null;
  @WordField('Status', ['active', 'planned', 'provisioning', 'offline', 'deprovisioning', 'decommissioned'], {
    default: 'active',
    counted: true,
  })
  status!: string;
  @CountField('Committed rate in kbit/s', { example: 1_000_000 }) commitRateKbps!: number | null;
  @DateField('Day on which it was installed') installDate!: string | null;
  @DateField('Day on which it ends', { example: '2029-02-28' }) terminationDate!: string | null;
  @ReferenceField(() => TenantGroup, 'Tenants that it serves') tenantGroupId!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
