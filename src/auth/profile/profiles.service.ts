import type { Transaction } from '../../database/executor.js';
import { Conflict, Fault } from '../../http/errors.js';
import type { Change, ChangedRow, InsertedRow, NewRecord, Returning, Scope } from '../../records/record-writer.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { hashPassword, refuseEmail } from '../password/passwords.js';
import { areLastAdministrators } from './last-administrators.js';
import { Profile } from './profile.entity.js';
import { sql, write } from '../../database/sql.js';
import type { RequestContext } from '../../lists/request-context.js';

type ProfileBody = Partial<Profile> & { password?: string };

/** Login profiles. Passwords are hashed, sessions and tokens end with the password or the profile, and one administrator always remains. */
@RecordService(Profile)
export class ProfilesService extends ResourceService<Profile> {
  protected override async insert(
    ctx: RequestContext,
    records: readonly NewRecord<Profile>[],
    returning: Returning,
  ): Promise<InsertedRow[]> {
    const hashed: NewRecord<Profile>[] = [];
    for (const { columns, body } of records) {
      const { email, password } = body as ProfileBody;
      refuseEmail('password', password!, email!);
      hashed.push({ columns: { ...columns, password_hash: await hashPassword(password!) }, body });
    }
    return super.insert(ctx, hashed, returning);
  }

  protected override async change(
    ctx: RequestContext,
    changes: readonly Change<Profile>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    // Hashed before the transaction, because hashing is slow and must not happen under a lock.
    const hashed: Change<Profile>[] = [];
    for (const change of changes) {
      const { password } = change.body as ProfileBody;
      const columns = password === undefined ? {} : { password_hash: await hashPassword(password) };
      hashed.push({ ...change, columns: { ...change.columns, ...columns } });
    }
    return ctx.transaction(async (tx) => {
      // Checked together. Deleting each of them alone may leave an administrator, while deleting all leaves none.
      const losing = hashed.filter(({ body: { role = 'admin', isActive } }) => role !== 'admin' || isActive === false);
      if (losing.length > 0) {
        const field = losing[0]!.body.isActive === false ? 'isActive' : 'role';
        await this.assertAnotherAdmin(
          tx.db,
          losing.map(({ id }) => id),
          field,
        );
      }
      const rows = await super.change(tx, hashed, returning, scope);
      for (const { id, body } of hashed) await this.afterChange(tx.db, id, body);
      return rows;
    });
  }

  private async afterChange(tx: Transaction, id: string, { password, isActive }: ProfileBody): Promise<void> {
    if (password !== undefined) {
      const [profile] = await tx.query<{ email: string }>(sql`SELECT email FROM profiles WHERE id = ${id}`);
      refuseEmail('password', password, profile!.email);
    }
    if (isActive === false || password !== undefined) {
      await tx.write(write`DELETE FROM sessions WHERE profile_id = ${id}`);
    }
    // A person who needs a new password from an administrator may also have lost tokens.
    if (password !== undefined) await tx.write(write`DELETE FROM tokens WHERE profile_id = ${id}`);
  }

  protected override erase(ctx: RequestContext, ids: readonly string[], scope: Scope): Promise<void> {
    return ctx.transaction(async (tx) => {
      await this.assertAnotherAdmin(tx.db, ids, 'profile');
      await super.erase(tx, ids, scope);
    });
  }

  private async assertAnotherAdmin(tx: Transaction, ids: readonly string[], field: string): Promise<void> {
    if (await areLastAdministrators(tx, ids)) {
      throw new Conflict(new Fault(field, 'cannot be changed: this is the last active administrator'));
    }
  }
}
