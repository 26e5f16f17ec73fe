import { hasRole } from '../../access/access.js';
import type { RequestContext } from '../../lists/request-context.js';
import type { Owner } from '../../records/owner.js';
import { Profile } from './profile.entity.js';

/** Of records with a `profileId`, a caller sees their own; administrators see everybody's. */
export const ownRecords = ({ caller }: RequestContext): Owner | undefined =>
  hasRole(caller, 'admin') ? undefined : { record: Profile, field: 'profileId', id: caller.profileId };
