import { NameField, ReferenceField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { ClusterType } from '../cluster-type/cluster-type.entity.js';
import { Site } from '../site/site.entity.js';

@RecordEntity('clusters', { area: 'network', apart: ['siteId'] })
export class Cluster extends StoredRecord {
  @NameField('Name', { example: 'ams-vsphere-01' }) name!: string;
  @ReferenceField(() => ClusterType, 'Kind of cluster') clusterTypeId!: string | null;
  @ReferenceField(() => Site, 'Site where it runs') siteId!: string | null;
  @WordField('Status', ['active', 'planned', 'staging', 'decommissioning', 'offline'], {
    default: 'active',
    counted: true,
  })
  status!: string;
  @TextField('Description', { searchable: true }) description!: string | null;
}
