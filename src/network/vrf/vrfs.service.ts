import type { Transaction } from '../../database/executor.js';
import { Conflict, Fault } from '../../http/errors.js';
import type { Change, ChangedRow, Returning, Scope } from '../../records/record-writer.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { Vrf } from './vrf.entity.js';
import { raw, sql, type Sql } from '../../database/sql.js';
import type { RequestContext } from '../../lists/request-context.js';

// More would make the response unreadable.
const MOST_LISTED = 1000;

@RecordService(Vrf)
export class VrfsService extends ResourceService<Vrf> {
  /** Lists the hosts that prevent a VRF from enforcing uniqueness. The database would only refuse the change. */
  protected override change(
    ctx: RequestContext,
    changes: readonly Change<Vrf>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    const enforcing = changes.filter(({ columns }) => columns.enforce_unique === true).map(({ id }) => id);
    if (enforcing.length === 0) return super.change(ctx, changes, returning, scope);
    return ctx.transaction(async (tx) => {
      for (const id of enforcing) {
        // Requests that would record a host again wait for this lock.
        const [vrf] = await tx.db.query<{ enforces: boolean }>(
          sql`SELECT enforce_unique AS enforces FROM vrfs WHERE id = ${id} FOR NO KEY UPDATE`,
        );
        if (vrf && !vrf.enforces) await assertUnique(tx.db, id);
      }
      return super.change(tx, changes, returning, scope);
    });
  }
}

/** @throws Conflict with a fault for each host that is recorded more than once */
async function assertUnique(tx: Transaction, id: string): Promise<void> {
  const repeated = await tx.query<{ host: string; times: number }>(repeatedHosts(id));
  if (repeated.length === 0) return;
  const details = repeated.map(
    ({ host, times }) =>
      new Fault('enforceUnique', `must not be true while ${host} is recorded ${times} times in the VRF`),
  );
  throw new Conflict(...details);
}

const repeatedHosts = (id: string): Sql => sql`SELECT host(host) AS host, alone AS times FROM address_hosts
  WHERE space = ${id} AND alone > 1 ORDER BY address_hosts.host LIMIT ${raw(MOST_LISTED)}`;
