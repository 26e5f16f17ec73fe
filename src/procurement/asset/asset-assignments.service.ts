import { Inject } from '@nestjs/common';
import type { InTransaction, RequestContext } from '../../lists/request-context.js';
import { keyViolation } from '../../database/database-errors.js';
import { CUSTOM } from '../../fields/custom/custom-field.js';
import { type CustomValues, keyOf, storedValues } from '../../fields/custom/custom-values.js';
import { Conflict, DanglingReference, Fault, ValidationFailed } from '../../http/errors.js';
import { ActionReply, type RecordReply } from '../../http/replies.js';
import { Person } from '../../people/person/person.entity.js';
import { type Placed, writePlaced } from '../../records/placed-writes.js';
import { RecordStores } from '../../records/record-store.js';
import { lockReferences, References } from '../../records/references.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { AssetAssignment, ReturnAsset } from './asset-assignment.entity.js';
import { AssetsService } from './assets.service.js';
import { AssignAsset } from './asset-assignments.bodies.js';
import { type AssetHandover, AssetHolder } from './handover/handover.dto.js';
import { sql, write, type Sql } from '../../database/sql.js';
import type { CustomFields } from '../../fields/field.js';

/** The unique index that is violated when an asset is handed out twice. */
const OPEN = 'uq_asset_assignments_open';

/**
 * Hands assets out and takes them back. A trigger sets the status of the asset, because deleting a person also takes back assets. Locks
 * are taken in the order of that delete: first the person, then the asset.
 */
@RecordService(AssetAssignment)
export class AssetAssignmentsService extends ResourceService<AssetAssignment> {
  constructor(
    @Inject(RecordStores) stores: RecordStores,
    @Inject(AssetsService) private readonly assets: AssetsService,
  ) {
    super(stores);
  }

  /** A unique index prevents a second open assignment. @throws NotFound, ValidationFailed, Conflict */
  async assign(ctx: RequestContext, assetId: string, body: AssignAsset): Promise<RecordReply> {
    try {
      return await this.handOut(ctx, assetId, body);
    } catch (error) {
      if (keyViolation(error)?.constraint !== OPEN) throw error;
      const [holder] = await ctx.db.query<Holder>(holdersOf([assetId]));
      // It may have been taken back in the meantime.
      if (!holder) throw error;
      throw new Conflict(outFault('asset', holder));
    }
  }

  private handOut(ctx: RequestContext, assetId: string, body: AssignAsset): Promise<RecordReply> {
    const { personId } = body;
    const custom = new References(ctx);
    custom.add(AssignAsset, body, '');
    // With an Idempotency-Key there is an outer transaction. A savepoint keeps it usable for finding the holder.
    return ctx.savepoint(async (tx) => {
      const dangling = [
        ...(await lockReferences(tx.db, Person, [{ path: 'personId', id: personId }])),
        // Not locked: a field may refer to the asset itself.
        ...(await custom.dangling(tx.db)),
      ];
      const found = await this.assets.lock(tx, [assetId]);
      if (found.size > 0) {
        if (dangling.length > 0) throw new ValidationFailed(dangling);
        await open(tx, [{ ...body, assetId }]);
      }
      // Also tells that there is no such asset, in which case nothing was inserted.
      return this.assets.recordOn(tx, assetId);
    });
  }

  /**
   * Sets the holders of many assets, with a fixed number of statements. An asset that the person already has is left alone.
   * @param options `replace`: an asset that somebody else has is taken back first
   * @throws ValidationFailed with a fault for each entry that is refused, unless refused entries are left out
   */
  handOver(
    ctx: RequestContext,
    holders: readonly AssetHolder[],
    { replace, onError, dryRun }: { replace: boolean; onError: 'abort' | 'skip'; dryRun: boolean },
  ): Promise<ActionReply> {
    return ctx.transaction(async (tx) => {
      const [faults, held] = await this.judge(tx, holders, replace);
      if (faults.size > 0 && onError === 'abort') {
        const placed = [...faults].map(([index, fault]) => fault.with({ field: `holders[${index}].${fault.field}` }));
        // A booking of somebody else is not an invalid request.
        throw [...faults.values()].every(isBooked) ? new Conflict(...placed) : new ValidationFailed(placed);
      }
      const good = holders.flatMap((entry, index) =>
        faults.has(index)
          ? []
          : [{ path: `holders[${index}]`, entry, index, has: held.get(entry.assetId)?.id ?? null }],
      );
      await writePlaced(
        tx.db,
        good,
        (some) => writeHandover(tx, some),
        ({ index, path }, refusal) => {
          if (onError === 'abort') throw refusal;
          const [fault] = refusal.extra.details!;
          faults.set(index, fault!.with({ field: fault!.field.slice(path.length + 1) }));
        },
      );
      const changed = good.filter((one) => !faults.has(one.index) && isChange(one));
      const opened = changed.filter(({ entry }) => entry.personId !== null);
      const outcome: AssetHandover = {
        handedOut: opened.length,
        takenBack: changed.length - opened.length,
        unchanged: holders.length - faults.size - changed.length,
        failed: faults.size,
        faults: [...faults]
          .toSorted(([one], [other]) => one - other)
          .map(([index, { field, message }]) => ({ row: index + 1, field, message })),
      };
      return new ActionReply([JSON.stringify(outcome)], [], dryRun);
    }, dryRun);
  }

  /** Locks the people and the assets. @returns the faults by the places of entries in their order, and who has which asset */
  private async judge(
    tx: InTransaction,
    holders: readonly AssetHolder[],
    replace: boolean,
  ): Promise<[Map<number, Fault>, Map<string, Holder>]> {
    const people = holders.map(({ personId }, index) => ({ path: String(index), id: personId }));
    const nobody = new Set((await lockReferences(tx.db, Person, people)).map(({ field }) => Number(field)));
    const custom = new References(tx);
    for (const [index, holder] of holders.entries()) custom.add(AssetHolder, holder, `${index}.`);
    const dangling = new Map((await custom.dangling(tx.db)).map((fault) => [Number.parseInt(fault.field, 10), fault]));
    const ids = holders.map(({ assetId }) => assetId);
    const found = await this.assets.lock(tx, ids);
    // A separate statement: one that began before the lock was granted would not see the latest holder.
    const held = new Map((await tx.db.query<Holder>(holdersOf(ids))).map((holder) => [holder.assetId, holder]));
    const booked = await bookedForOthers(tx, holders);
    const first = new Map<string, number>();
    const faults = new Map<number, Fault>();
    for (const [index, entry] of holders.entries()) {
      const { assetId, personId } = entry;
      const holder = held.get(assetId);
      const lost = dangling.get(index);
      const earlier = first.get(assetId);
      const other = booked.get(assetId);
      if (earlier !== undefined)
        faults.set(index, new Fault('assetId', `is the same asset as in entry ${earlier + 1}`));
      else if (!found.has(assetId)) faults.set(index, new DanglingReference('assetId'));
      else if (nobody.has(index)) faults.set(index, new DanglingReference('personId'));
      else if (other !== undefined && holder?.id !== personId) faults.set(index, bookedFault(other));
      else if (!replace && holder && personId !== null && holder.id !== personId)
        faults.set(index, outFault('assetId', holder));
      else if (lost) faults.set(index, new DanglingReference(lost.field.slice(lost.field.indexOf('.') + 1)));
      else {
        const fault = customFault(tx.fields.of(AssetAssignment), entry, holder);
        if (fault) faults.set(index, fault);
      }
      if (earlier === undefined) first.set(assetId, index);
    }
    return [faults, held];
  }

  /** @throws NotFound, Conflict */
  return(ctx: RequestContext, assetId: string, body: ReturnAsset): Promise<RecordReply> {
    const custom = new References(ctx);
    custom.add(ReturnAsset, body, '');
    return ctx.transaction(async (tx) => {
      await this.assets.lock(tx, [assetId]);
      const dangling = await custom.dangling(tx.db);
      const closed = dangling.length > 0 ? [] : await close(tx, [{ ...body, assetId }]);
      const asset = await this.assets.recordOn(tx, assetId);
      if (dangling.length > 0) throw new ValidationFailed(dangling);
      if (closed.length === 0) throw new Conflict(new Fault('asset', 'is not handed out'));
      return asset;
    });
  }
}

/** The holder of an asset. */
interface Holder {
  assetId: string;
  id: string;
  name: string;
}

const outFault = (field: string, { id, name }: Holder): Fault =>
  new Fault(field, `is already handed out to '${name}' (people ${id}); it has to be returned first`, 'conflict');

const holdersOf = (assetIds: readonly string[]): Sql => sql`
SELECT a.asset_id AS "assetId", p.id, p.full_name AS name FROM asset_assignments a JOIN people p ON p.id = a.person_id
WHERE a.asset_id = ANY(${assetIds}) AND a.returned_at IS NULL`;

/** The fault of an asset that is currently booked for somebody else. @param other the booking in words */
const bookedFault = (other: string): Fault => new Fault('personId', `does not have ${other}`, 'conflict');
const isBooked = ({ field, code }: Fault): boolean => field === 'personId' && code === 'conflict';

/** The current bookings of assets for people other than the given ones, in words, by asset. */
async function bookedForOthers(tx: InTransaction, holders: readonly AssetHolder[]): Promise<Map<string, string>> {
  const people = holders.filter(({ personId }) => personId !== null);
  const rows = await tx.db.query<{ assetId: string; text: string }>(
    sql`SELECT b.record_id AS "assetId", booking_text(b) AS text
      FROM unnest(${people.map(({ assetId }) => assetId)}::uuid[], ${people.map(({ personId }) => personId)}::uuid[]) g (asset_id, person_id)
        JOIN bookings b ON b.record_id = g.asset_id AND b.person_id IS DISTINCT FROM g.person_id
      WHERE b.status IN ('booked', 'out') AND tstzrange(b.start_time, b.end_time) @> clock_timestamp()`,
  );
  return new Map(rows.map(({ assetId, text }) => [assetId, text]));
}

/** The contents of a request about an assignment. */
interface Given {
  assetId: string;
  personId?: string | null;
  dueAt?: string | null;
  /** Values of custom fields. */
  [CUSTOM]?: CustomValues;
}

/** What is wrong with the custom fields of an entry; undefined if nothing is. @param holder who has the asset */
function customFault(
  { fields }: CustomFields,
  { personId, [CUSTOM]: values = {} }: Given,
  holder?: Holder,
): Fault | undefined {
  if (personId === null) {
    return holder || Object.keys(values).length === 0
      ? undefined
      : new Fault(CUSTOM, 'must not be given, because nobody has the asset');
  }
  // An existing assignment has its required values already.
  if (personId === holder?.id) return undefined;
  const missing = fields.find(
    (field) => field.required && field.custom!.definition.default === null && !(keyOf(field) in values),
  );
  return missing && new Fault(missing.property, 'is required', 'required');
}

/** What a request says of assignments, as a table `given`. */
function given(tx: InTransaction, entries: readonly Given[]): Sql {
  const { fields } = tx.fields.of(AssetAssignment);
  const values = entries.map(({ [CUSTOM]: some = {} }) => JSON.stringify(storedValues(fields, some)));
  return sql`(SELECT asset_id, person_id, due_at, custom_fields::jsonb FROM unnest(
      ${entries.map(({ assetId }) => assetId)}::uuid[], ${entries.map(({ personId = null }) => personId)}::uuid[],
      ${entries.map(({ dueAt = null }) => dueAt)}::timestamptz[], ${values}::text[]
    ) entry (asset_id, person_id, due_at, custom_fields)) given`;
}

/** An accepted entry of a handover. */
interface Handed extends Placed<AssetHolder> {
  index: number;
  /** The current holder of the asset. */
  has: string | null;
}

const isChange = ({ entry, has }: Handed): boolean => entry.personId !== has;

/** Hands out assets. */
async function writeHandover(tx: InTransaction, entries: readonly Handed[]): Promise<void> {
  const changed = entries.filter(isChange).map(({ entry }) => entry);
  // The custom fields of an entry are those of the assignment that it opens.
  await close(
    tx,
    changed.map((entry) => (entry.personId === null ? entry : { assetId: entry.assetId })),
  );
  await open(
    tx,
    changed.filter(({ personId }) => personId !== null),
  );
  const left = entries.filter((one) => !isChange(one) && CUSTOM in one.entry);
  await change(
    tx,
    left.map(({ entry }) => entry),
  );
}

/** Opens assignments. */
const open = (tx: InTransaction, entries: readonly Given[]): Promise<unknown> =>
  tx.db.write(
    write`INSERT INTO asset_assignments (asset_id, person_id, person_name, person_email, due_at, custom_fields)
      SELECT given.asset_id, p.id, p.full_name, p.email, given.due_at, nullif(given.custom_fields, '{}')
      FROM ${given(tx, entries)} JOIN people p ON p.id = given.person_id`,
  );

/**
 * Closes the open assignments of assets. The transaction may have begun before the asset was handed out, so its now() may be the earlier time.
 */
const close = (tx: InTransaction, entries: readonly Given[]): Promise<unknown[]> =>
  tx.db.write(
    write`UPDATE asset_assignments a SET returned_at = greatest(a.assigned_at, now()), updated_at = now(),
        custom_fields = merge_custom_fields(a.custom_fields, given.custom_fields)
      FROM ${given(tx, entries)} WHERE a.asset_id = given.asset_id AND a.returned_at IS NULL RETURNING a.id`,
  );

/** Changes the custom fields of open assignments. */
const change = (tx: InTransaction, entries: readonly Given[]): Promise<unknown> =>
  tx.db.write(
    write`UPDATE asset_assignments a SET custom_fields = merge_custom_fields(a.custom_fields, given.custom_fields)
      FROM ${given(tx, entries)} WHERE a.asset_id = given.asset_id AND a.returned_at IS NULL
        AND merge_custom_fields(a.custom_fields, given.custom_fields) IS DISTINCT FROM a.custom_fields`,
  );
