import { NameField, SlugField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';

@RecordEntity('cluster_types', { area: 'network' })
export class ClusterType extends StoredRecord {
  @NameField('Name', { example: 'VMware vSphere' }) name!: string;
  @SlugField('URL-friendly name', { example: 'vmware-vsphere' }) slug!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
