import { hasRole, meets, reading, type Caller } from '../../access/access.js';
import type { RequestContext } from '../../lists/request-context.js';
import { DomainError, Fault } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import type { Change, ChangedRow, Columns, Returning, Scope } from '../../records/record-writer.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { Person } from './person.entity.js';
import { shiftsAhead } from './shifts-ahead.js';
import { sql } from '../../database/sql.js';

@RecordService(Person)
export class PeopleService extends ResourceService<Person> {
  protected override newColumns(ctx: RequestContext, body: Partial<Person>): Columns {
    if (!mayLink(ctx.caller, body.profileId)) refuseLink();
    return super.newColumns(ctx, body);
  }

  override async update(ctx: RequestContext, id: string, body: Partial<Person>): Promise<RecordReply> {
    const reply = await super.update(ctx, id, body);
    // An inactive person covers no shift, so the planners of on-call shifts must be informed.
    if (body.status !== 'inactive' || !meets(ctx.caller, reading('operations'))) return reply;
    return reply.linkedTo(await shiftsAhead(ctx.db, reply.id));
  }

  protected override change(
    ctx: RequestContext,
    changes: readonly Change<Person>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    const linking = changes.filter(({ body }) => !mayLink(ctx.caller, body.profileId));
    if (linking.length === 0) return super.change(ctx, changes, returning, scope);
    return ctx.transaction(async (tx) => {
      // A body with the unchanged profile changes no link. The lock prevents concurrent changes until the write.
      const people = await tx.db.query<{ id: string; profileId: string | null }>(
        sql`SELECT id, profile_id AS "profileId" FROM people WHERE id = ANY(${linking.map(({ id }) => id)}) ORDER BY id FOR NO KEY UPDATE`,
      );
      const linked = new Map(people.map(({ id, profileId }) => [id, profileId]));
      if (linking.some(({ id, body }) => linked.has(id) && linked.get(id) !== body.profileId)) refuseLink();
      return super.change(tx, changes, returning, scope);
    });
  }
}

/** Who may link a profile, for the error message and for the document. */
export const LINKING = 'Linking a login profile to a person needs the role admin, unless it is your own profile';

/** A person shows the linked profile, so permission to link any profile would be permission to read any profile. */
const mayLink = (caller: Caller, profileId: string | null | undefined): boolean =>
  !profileId || profileId === caller.profileId || hasRole(caller, 'admin');

function refuseLink(): never {
  throw new DomainError('forbidden', LINKING, {
    fault: new Fault('profileId', 'needs the role admin, unless it is your own profile'),
  });
}
