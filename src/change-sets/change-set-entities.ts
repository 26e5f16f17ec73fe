import { Profile } from '../auth/profile/profile.entity.js';
import { approvalsOf } from '../resource/approvals/approval.entity.js';
import type { ApprovalsPlace } from '../resource/approvals/approvals.controller.js';
import { ChangeSet } from './change-set.entity.js';
import { ChangeSetOperation } from './operation.entity.js';

/** The approvals of change sets. */
export const APPROVALS: ApprovalsPlace = {
  ...approvalsOf(ChangeSet, () => Profile),
  path: 'api/change-sets/:id',
  read: { role: 'viewer' },
  write: { role: 'editor' },
};

export const changeSetEntities = [ChangeSet, ChangeSetOperation, APPROVALS.record];
