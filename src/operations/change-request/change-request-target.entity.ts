import { Index } from 'typeorm';
import { OwnerField } from '../../fields/fields.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineTargetRules, TargetOf } from '../target/target.entity.js';
import { ChangeRequest } from './change-request.entity.js';

defineTargetRules('change_request_targets', 'change request');

@RecordEntity('change_request_targets', { area: 'operations' })
@Index('uq_change_request_targets_record', ['changeRequestId', 'resource', 'recordId'], { unique: true })
@Index(['recordId'])
export class ChangeRequestTarget extends TargetOf('change request') {
  @OwnerField(() => ChangeRequest, 'Change that affects the record', { hidden: true, indexed: false })
  changeRequestId!: string;
}
