import { ROLES, type Area } from '../../access/access.js';
import { snakeCase } from '../../database/naming.js';
import { DETAIL } from '../../database/constraint-faults.js';
import { defineRule } from '../../fields/bodies/rules.js';
import type { Class } from '../../fields/field.js';
import { ComputedField, EnumField, LineField, OwnerField, TextField, TypedField } from '../../fields/fields.js';
import { areaOf, labelOf, RecordEntity, withArticle } from '../../fields/record-entity.js';
import { StoredRecord } from '../../fields/record.js';
import { uuid } from '../../fields/types/uuid.js';
import { tableOf } from '../../lists/record-sql.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';

// The trigger of the records reports how many are missing.
defineRule('ck_approvals', 'status', DETAIL, 'approvals_missing');

const readOnly = { readOnly: true } as const;

/** An approval or rejection of a record in its state at that time. It outlives the profile. */
export interface Approval extends StoredRecord {
  decision: string;
  comment: string | null;
  digest: string;
  profileId: string | null;
  approver: string;
  role: string;
  isCurrent: boolean;
  tokenId: string | null;
}

/** Base class of the approvals of one kind of record. @param owner the kind in words @param table of these records @param profile those of approvers */
function ApprovalOf(owner: string, table: string, profile: () => Class): abstract new () => Approval {
  abstract class ApprovalOfOwner extends StoredRecord {
    @EnumField(
      'Whether the record is approved; one rejection holds its moves back',
      'ApprovalDecision',
      ['approve', 'reject'],
      {
        required: true,
      },
    )
    decision!: string;
    @TextField('Why', { example: 'Rollback was rehearsed.' }) comment!: string | null;
    @LineField(`\`digest\` of the ${owner} as the approver saw it; that of another state is refused`, {
      required: true,
      maxLength: 64,
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    })
    digest!: string;
    @TypedField(uuid, 'Profile of the approver; null if it no longer exists', {
      ...readOnly,
      references: profile,
      onDelete: 'SET NULL',
      example: EXAMPLE_ID,
    })
    profileId!: string | null;
    @LineField('Email address of the approver at that time', {
      ...readOnly,
      nullable: false,
      naming: true,
      example: 'ada@example.com',
    })
    approver!: string;
    @EnumField('Role of the approver at that time: that of the token, if it was given with one', 'Role', ROLES, {
      ...readOnly,
      nullable: false,
      example: 'manager',
    })
    role!: string;
    @ComputedField(
      `Whether the ${owner} is still as the approver saw it`,
      (t) => `coalesce(${t}.digest = approval_digest_of('${table}', ${t}.record_id), false)`,
      { type: 'boolean', example: true },
    )
    isCurrent!: boolean;
    @TypedField(uuid, 'Token that it was given with', { ...readOnly, hidden: true, shownAs: 'role' })
    tokenId!: string | null;
  }
  return ApprovalOfOwner;
}

/** The approvals of one kind of record. */
export interface Approvable {
  owner: Class<StoredRecord>;
  record: Class<Approval>;
}

/**
 * Declares the approvals of one kind of record, in a table of their own, which `approvals_table` finds.
 * @param profile the class of login profiles
 * @param area of the records, if they do not declare it
 */
export function approvalsOf(
  owner: Class<StoredRecord>,
  profile: () => Class,
  area: Area | null = areaOf(owner),
): Approvable {
  const name = `${owner.name}Approval`;
  const record = { [name]: class extends ApprovalOf(labelOf(owner), tableOf(owner), profile) {} }[name]!;
  OwnerField(() => owner, `${withArticle(owner)} that is approved`, { hidden: true })(record.prototype, 'recordId');
  RecordEntity(`${snakeCase(owner.name)}_approvals`, { area })(record);
  return { owner, record };
}
