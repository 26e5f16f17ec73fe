import { Profile } from '../auth/profile/profile.entity.js';
import { writingOf } from '../records/record-access.js';
import { approvalsOf } from '../resource/approvals/approval.entity.js';
import type { ApprovalsPlace } from '../resource/approvals/approvals.controller.js';
import { MOVABLE } from './movable-controllers.js';

/** The approvals of every kind of record that can have transitions. */
export const APPROVALS: readonly ApprovalsPlace[] = MOVABLE.map(({ record: owner, path, read, owner: within }) => ({
  ...approvalsOf(owner, () => Profile),
  path,
  read,
  write: writingOf(owner),
  within,
}));
