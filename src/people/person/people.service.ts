import { hasRole, type Caller } from '../../access/access.js';
import type { RequestContext } from '../../access/request-context.js';
import { DomainError } from '../../http/errors.js';
import {
  RecordService,
  ResourceService,
  type Change,
  type ChangedRow,
  type Columns,
  type Owner,
  type Returning,
} from '../../records/resource.service.js';
import { Person } from './person.entity.js';

@RecordService(Person)
export class PeopleService extends ResourceService<Person> {
  protected override newColumns(body: Partial<Person>, ctx: RequestContext): Columns {
    if (!mayLink(ctx.caller, body.profileId)) refuseLink();
    return super.newColumns(body, ctx);
  }

  protected override change(
    ctx: RequestContext,
    changes: readonly Change<Person>[],
    returning: Returning,
    owner: Owner | undefined,
  ): Promise<ChangedRow[]> {
    const linking = changes.filter(({ body }) => !mayLink(ctx.caller, body.profileId));
    if (linking.length === 0) return super.change(ctx, changes, returning, owner);
    return ctx.db.transaction(async (tx) => {
      // Who sends back the profile that was read links nothing; the lock keeps it the same until the write.
      const people = await tx.query<{ id: string; profileId: string | null }>(
        'SELECT id, profile_id AS "profileId" FROM people WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE',
        [linking.map(({ id }) => id)],
      );
      const linked = new Map(people.map(({ id, profileId }) => [id, profileId]));
      if (linking.some(({ id, body }) => linked.has(id) && linked.get(id) !== body.profileId)) refuseLink();
      return super.change({ ...ctx, db: tx }, changes, returning, owner);
    });
  }
}

/** Who may link a profile, for the error message and for the document. */
export const LINKING = 'Linking a login profile to a person needs the role admin, unless it is your own profile';

/** A person shows the linked profile, so permission to link any profile would be permission to read any profile. */
const mayLink = (caller: Caller, profileId: string | null | undefined): boolean =>
  !profileId || profileId === caller.profileId || hasRole(caller, 'admin');

function refuseLink(): never {
  throw new DomainError('forbidden', LINKING);
}
