import type { Executor } from '../../database/database.js';
import { ResourceService } from '../../kernel/resource.service.js';
import type { Person } from './person.entity.js';

export class PeopleService extends ResourceService<Person> {
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
