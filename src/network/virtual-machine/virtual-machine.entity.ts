import { CountField, NameField, ReferenceField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Cluster } from '../cluster/cluster.entity.js';
import { Platform } from '../platform/platform.entity.js';

@RecordEntity('virtual_machines', { area: 'network' })
export class VirtualMachine extends StoredRecord {
  @NameField('Name', { example: 'web-01' }) name!: string;
  @ReferenceField(() => Cluster, 'Cluster that it runs on') clusterId!: string | null;
  @WordField('Status', ['active', 'offline', 'planned', 'staged', 'failed', 'paused', 'decommissioning'], {
    counted: true,
  })
  status!: string | null;
  @CountField('Number of virtual processors', { example: 4 }) vcpus!: number | null;
  @CountField('Memory in MB', { example: 8192 }) memoryMb!: number | null;
  @CountField('Disk in GB', { example: 100 }) diskGb!: number | null;
  @ReferenceField(() => Platform, 'Operating system that it runs') platformId!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
