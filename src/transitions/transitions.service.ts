import { meets, reading, type Caller } from '../access/access.js';
import type { InTransaction, RequestContext } from '../lists/request-context.js';
import type { Transaction } from '../database/executor.js';
import { holdLock, LOCKS } from '../database/locks.js';
import { patiently } from '../database/patient-lock.js';
import { sql } from '../database/sql.js';
import { areaOf } from '../fields/record-entity.js';
import { DomainError, Fault, NotFound, ValidationFailed } from '../http/errors.js';
import type { RecordReply } from '../http/replies.js';
import type { Owner } from '../records/owner.js';
import { RecordService } from '../records/record-service.js';
import { ResourceService } from '../records/resource.service.js';
import { movableResources } from '../fields/movable.js';
import { initialFault } from './transition.bodies.js';
import { Transition } from './transition.entity.js';

const FIXED = ['resource', 'field', 'from', 'to'] as const;

type Stored = Pick<Transition, (typeof FIXED)[number]>;

/** Locks for a change of a definition: the table of its records, and the lock that their writers share. */
const LOCKS_OF_TABLE = 2;

/**
 * The transitions that an installation defines. Triggers of the tables enforce them (`hold_transitions.sql`). They are created with the
 * first definition and dropped with the last (`hold_transitions_of.sql`).
 */
@RecordService(Transition)
export class TransitionsService extends ResourceService<Transition> {
  /** @throws DomainError forbidden, ValidationFailed, Conflict */
  override create(ctx: RequestContext, body: object): Promise<RecordReply> {
    assertArea(ctx.caller, (body as Stored).resource);
    return held(ctx, (tx) => this.createOne(tx, body));
  }

  /** @throws NotFound, DomainError forbidden, ValidationFailed */
  override update(ctx: RequestContext, id: string, body: object): Promise<RecordReply> {
    return held(ctx, async (tx) => {
      const stored = await lock(tx.db, id);
      assertArea(ctx.caller, stored.resource);
      const given = body as Partial<Transition>;
      const faults = FIXED.filter((name) => given[name] !== undefined && given[name] !== stored[name]).map(
        (name) => new Fault(name, 'cannot be changed'),
      );
      const initial = initialFault(stored.from, given.approvals);
      if (initial) faults.push(initial);
      if (faults.length > 0) throw new ValidationFailed(faults);
      return super.update(tx, id, body);
    });
  }

  /** @throws NotFound, DomainError forbidden */
  override async remove(ctx: RequestContext, id: string, owner?: Owner): Promise<void> {
    await held(ctx, async (tx) => {
      assertArea(ctx.caller, (await lock(tx.db, id)).resource);
      await super.remove(tx, id, owner);
    });
  }
}

/** Runs a change of the definitions, one at a time. Writers of the records wait briefly. @throws Unavailable */
const held = <T>(ctx: RequestContext, work: (tx: InTransaction) => Promise<T>): Promise<T> =>
  ctx.transaction(async (tx) => {
    await holdLock(tx.db, LOCKS.transitions);
    return patiently(tx.db, LOCKS_OF_TABLE, () => work(tx));
  });

/** @throws NotFound */
async function lock(tx: Transaction, id: string): Promise<Stored> {
  const [stored] = await tx.query<Stored>(
    sql`SELECT resource, field, from_value AS "from", to_value AS "to" FROM transitions WHERE id = ${id} FOR UPDATE`,
  );
  if (!stored) throw new NotFound('Transition');
  return stored;
}

/** @throws DomainError forbidden if the caller may not read the records that move */
function assertArea(caller: Caller, resource: string): void {
  const record = movableResources().get(resource);
  const { area } = record ? reading(areaOf(record)!) : {};
  if (area === undefined || meets(caller, { role: 'viewer', area })) return;
  throw new DomainError(
    'forbidden',
    `A transition of ${resource} needs access to the area ${area}, which you do not have`,
  );
}
