import type { Executor } from '../../database/database.js';
import { Conflict, Fault } from '../../http/errors.js';
import type { Owner, Columns, JsonRow } from '../../records/resource.service.js';
import { ResourceService } from '../../records/resource.service.js';
import { hashPassword, refuseEmail } from '../passwords.js';
import type { Profile } from './profile.entity.js';

type ProfileBody = Partial<Profile> & { password?: string };

/** Login profiles: passwords are hashed, sessions end with what let them be opened, and an administrator is left. */
export class ProfilesService extends ResourceService<Profile> {
  protected override async insert(db: Executor, columns: Columns, body: ProfileBody): Promise<JsonRow> {
    refuseEmail('password', body.password!, body.email!);
    return super.insert(db, { ...columns, password_hash: await hashPassword(body.password!) }, body);
  }

  protected override async change(
    db: Executor,
    id: string,
    columns: Columns,
    body: ProfileBody,
    owner: Owner | undefined,
  ): Promise<JsonRow> {
    // Hashed before the transaction: it takes long, and nothing should wait for it under a lock.
    const hashed = body.password === undefined ? {} : { password_hash: await hashPassword(body.password) };
    return db.transaction(async (tx) => {
      const losesAdmin = (body.role !== undefined && body.role !== 'admin') || body.isActive === false;
      if (losesAdmin) await this.assertAnotherAdmin(tx, id, body.isActive === false ? 'isActive' : 'role');
      const row = await super.change(tx, id, { ...columns, ...hashed }, body, owner);
      if (body.password !== undefined) {
        const { email } = JSON.parse(row.json) as { email: string };
        refuseEmail('password', body.password, email);
      }
      if (body.isActive === false || body.password !== undefined) {
        await tx.query('DELETE FROM sessions WHERE profile_id = $1', [id]);
      }
      return row;
    });
  }

  protected override erase(db: Executor, id: string, owner: Owner | undefined): Promise<void> {
    return db.transaction(async (tx) => {
      await this.assertAnotherAdmin(tx, id, 'profile');
      await super.erase(tx, id, owner);
    });
  }

  /** Locks the active administrators, so that two of them cannot demote each other at the same moment. */
  private async assertAnotherAdmin(tx: Executor, id: string, field: string): Promise<void> {
    const admins = await tx.query<{ id: string }>(
      `SELECT id FROM profiles WHERE role = 'admin' AND is_active ORDER BY id FOR UPDATE`,
    );
    if (admins.length === 1 && admins[0]!.id === id) {
      throw new Conflict(new Fault(field, 'cannot be changed so: this is the last active administrator'));
    }
  }
}
