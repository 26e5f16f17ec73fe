import { LineField, NameField, ReferenceField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Vendor } from '../vendor/vendor.entity.js';

@RecordEntity('slas', { area: 'procurement', label: 'SLA', plural: 'SLAs', article: 'an' })
export class Sla extends StoredRecord {
  @NameField('Name', { example: 'Gold support' }) name!: string;
  @ReferenceField(() => Vendor, 'Vendor that the service level is agreed with') vendorId!: string | null;
  @LineField('What is promised', { example: 'Replacement on the next business day' }) target!: string | null;
  @LineField('Time within which the vendor responds', { example: '4 hours' }) responseTime!: string | null;
  @LineField('Share of time that the service is available', { example: '99.95 %' }) uptime!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
