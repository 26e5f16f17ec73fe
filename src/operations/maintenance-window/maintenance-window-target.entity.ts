import { Index } from 'typeorm';
import { OwnerField } from '../../fields/fields.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineTargetRules, TargetOf } from '../target/target.entity.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';

defineTargetRules('maintenance_window_targets', 'maintenance window');

@RecordEntity('maintenance_window_targets', { area: 'operations' })
@Index('uq_maintenance_window_targets_record', ['maintenanceWindowId', 'resource', 'recordId'], { unique: true })
@Index(['recordId'])
export class MaintenanceWindowTarget extends TargetOf('maintenance window') {
  @OwnerField(() => MaintenanceWindow, 'Window in which the record is affected', { hidden: true, indexed: false })
  maintenanceWindowId!: string;
}
