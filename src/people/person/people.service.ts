import { hasRole, type Caller } from '../../access/access.js';
import type { Executor } from '../../database/database.js';
import type { RequestContext } from '../../access/request-context.js';
import { DomainError } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import { ResourceService, type Owner } from '../../records/resource.service.js';
import type { Person } from './person.entity.js';

export class PeopleService extends ResourceService<Person> {
  override async create(ctx: RequestContext, body: Partial<Person>, owner?: Owner): Promise<RecordReply> {
    if (!mayLink(ctx.caller, body.profileId)) refuseLink();
    return super.create(ctx, body, owner);
  }

  override async update(ctx: RequestContext, id: string, body: Partial<Person>, owner?: Owner): Promise<RecordReply> {
    if (mayLink(ctx.caller, body.profileId)) return super.update(ctx, id, body, owner);
    return ctx.db.transaction(async (tx) => {
      // Who sends back the profile that was read links nothing; the lock keeps it the same until the write.
      const [person] = await tx.query<{ profileId: string | null }>(
        'SELECT profile_id AS "profileId" FROM people WHERE id = $1 FOR NO KEY UPDATE',
        [id],
      );
      if (person && person.profileId !== body.profileId) refuseLink();
      return super.update({ ...ctx, db: tx }, id, body, owner);
    });
  }

  /** Ends the open assignments of the person before the references to them are cleared. */
  protected override erase(db: Executor, id: string): Promise<void> {
    return db.transaction(async (tx) => {
      // Locks the person first, so that no asset can be handed to them meanwhile.
      const found = await tx.query('SELECT 1 FROM people WHERE id = $1 FOR UPDATE', [id]);
      if (found.length === 0) this.missing();
      // An assignment that was made while this waited for the lock began after this transaction's now().
      await tx.query(
        'UPDATE asset_assignments SET returned_at = greatest(assigned_at, now()), updated_at = now() WHERE person_id = $1 AND returned_at IS NULL',
        [id],
      );
      await super.erase(tx, id, undefined);
    });
  }
}

/** Who may link a profile, said to whoever may not, and in the document. */
export const LINKING = 'Linking a login profile to a person needs the role admin, unless it is your own profile';

/** A person shows the profile that is linked: whoever could link any could read any. */
const mayLink = (caller: Caller, profileId: string | null | undefined): boolean =>
  !profileId || profileId === caller.profileId || hasRole(caller, 'admin');

function refuseLink(): never {
  throw new DomainError('forbidden', LINKING);
}
