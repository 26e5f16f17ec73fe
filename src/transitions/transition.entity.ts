import { Index } from 'typeorm';
import { DETAIL } from '../database/constraint-faults.js';
import { defineRule } from '../fields/bodies/rules.js';
import { EnumField, IntegerField, LineField } from '../fields/fields.js';
import { StoredRecord } from '../fields/record.js';
import { RecordEntity } from '../fields/record-entity.js';

// The trigger of the records names the field, and the open transitions.
defineRule('ck_transitions', 'status', DETAIL, 'transition');
defineRule('ck_transitions_fixed', 'to', 'cannot be changed, nor can resource, field and from');

const taken = 'is already the end of a transition of the same field with the same start';
defineRule('uq_transitions', 'to', taken);
defineRule('uq_transitions_initial', 'to', taken);

const fixed = 'cannot be changed later';

/** Roles to which a transition can be restricted. Viewers cannot write. */
export const MOVING_ROLES = ['editor', 'manager', 'admin'] as const;

/** Most approvals that a move can need. */
const MOST_APPROVALS = 5;

/** A status change that an installation allows. */
@RecordEntity('transitions', { area: null, open: true })
@Index('uq_transitions', ['resource', 'field', 'from', 'to'], { unique: true, where: '"from_value" IS NOT NULL' })
@Index('uq_transitions_initial', ['resource', 'field', 'to'], { unique: true, where: '"from_value" IS NULL' })
export class Transition extends StoredRecord {
  @LineField(`Resource whose records move, named as in the change log; ${fixed}`, {
    required: true,
    searchable: true,
    fixed: true,
    example: 'change-requests',
  })
  resource!: string;
  @LineField(
    `Field that moves: \`status\`, or \`severity\`, \`risk\` or \`condition\` where the resource has it; ${fixed}`,
    { default: 'status', fixed: true, example: 'status' },
  )
  field!: string;
  @LineField(`Value that the move starts from; null for new records; ${fixed}`, {
    columnName: 'from_value',
    fixed: true,
    example: 'submitted',
  })
  from!: string | null;
  @LineField(`Value that the move leads to; ${fixed}`, {
    columnName: 'to_value',
    required: true,
    naming: true,
    fixed: true,
    example: 'approved',
  })
  to!: string;
  @EnumField('Lowest role that may make the move', 'TransitionRole', MOVING_ROLES, { default: 'editor' }) role!: string;
  @IntegerField('Number of approvals that the move needs; 0 where `from` is null', {
    default: 0,
    min: 0,
    max: MOST_APPROVALS,
    example: 1,
  })
  approvals!: number;
  @EnumField('Lowest role whose approval counts', 'TransitionRole', MOVING_ROLES, { default: 'manager' })
  approverRole!: string;
}
