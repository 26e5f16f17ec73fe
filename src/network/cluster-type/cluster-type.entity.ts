import { Entity } from 'typeorm';
import { NameField, SlugField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';

@Entity('cluster_types')
export class ClusterType extends StoredRecord {
  @NameField('Name', { example: 'VMware vSphere' }) name!: string;
  @SlugField('URL-friendly name', { example: 'vmware-vsphere' }) slug!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
