import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Secrets } from '../access/secrets.js';
import type { Executor } from '../database/executor.js';
import { identifier, sql, where } from '../database/sql.js';
import type { Class } from '../fields/field.js';
import { resourceOf } from '../fields/record-entity.js';
import { DomainError, Fault, joined, NotFound, ValidationFailed } from '../http/errors.js';
import { PlainReply } from '../http/replies.js';
import type { InTransaction, RequestContext } from '../lists/request-context.js';
import { conditionsOf } from '../records/owner.js';
import { References } from '../records/references.js';
import { type PlannedWrite, Plans, refuseMoreThanMost } from '../resource/plans.js';
import { ChangeSetsService } from './change-sets.service.js';
import { Delta } from './delta.js';
import {
  operationsOf,
  operationsOn,
  recordsMade,
  storeOperations,
  type StoredOperation,
  type Values,
} from './operation-store.js';
import { apart, changedIn, dataOf, valuesFor } from './operation-values.js';
import { PlanMerger } from './plan-merger.js';
import { PlannedResources, sqlOf, type PlannedResource } from './planned-resources.js';

/** A write and its resource. */
interface Planned {
  write: PlannedWrite;
  resource: PlannedResource;
  recordId: string;
}

/** Records that a change set creates and deletes. */
interface Made {
  created: ReadonlySet<string>;
  deleted: ReadonlySet<string>;
  /** Ids of new records by class. Later operations may refer to them. */
  byRecord: Map<Class, Set<string>>;
}

/** Adds operations to change sets. */
@Injectable()
export class ChangePlans extends Plans {
  constructor(
    @Inject(PlannedResources) private readonly resources: PlannedResources,
    @Inject(ChangeSetsService) private readonly sets: ChangeSetsService,
    @Inject(Secrets) private readonly secrets: Secrets,
  ) {
    super();
  }

  async add(ctx: RequestContext, changeSet: string, writes: readonly PlannedWrite[]): Promise<PlainReply> {
    return PlainReply.of({ operations: await ctx.transaction((tx) => this.store(tx, changeSet, writes)) }, 202);
  }

  async store(ctx: InTransaction, changeSet: string, writes: readonly PlannedWrite[]): Promise<string[]> {
    const held = await this.addOn(ctx, changeSet, writes);
    return [...new Set(held.filter((id) => id !== undefined))];
  }

  async foresee<T>(ctx: InTransaction, changeSet: string, work: (tx: InTransaction) => Promise<T>): Promise<T> {
    const set = await this.sets.lockOpen(ctx.db, changeSet);
    return ctx.transaction(async (tx) => {
      await this.sets.begin(tx.db, set);
      const delta = new Delta(tx, this.resources, this.secrets, await operationsOf(tx.db, changeSet));
      await delta.compare();
      await delta.run();
      return work(tx);
    }, true);
  }

  /** @returns for each write the id of the operation that holds it; undefined if it has cancelled an earlier one */
  async addOn(ctx: InTransaction, changeSet: string, writes: readonly PlannedWrite[]): Promise<(string | undefined)[]> {
    const { db } = ctx;
    await this.sets.lockOpen(db, changeSet);
    const planned = writes.map((write): Planned => {
      const resource = this.resources.get(resourceOf(write.record)!)!;
      return { write, resource, recordId: write.op === 'create' ? (write.id ?? randomUUID()) : write.id };
    });
    const made = this.madeBy(await recordsMade(db, changeSet));
    // Operations of this request may refer to its own new records.
    for (const { write, resource, recordId } of planned) {
      if (write.op === 'create') addTo(made.byRecord, resource.record, recordId);
    }
    await this.refuseDangling(ctx, planned, made);
    await this.refuseMissing(ctx, planned, made);
    await this.refuseStale(ctx, planned);
    const records = await this.recordsOf(ctx, planned, made);
    const earlier = await operationsOn(
      db,
      changeSet,
      planned.map(({ recordId }) => recordId),
    );
    const merger = new PlanMerger(earlier);
    const added: StoredOperation[] = [];
    for (const { write, resource, recordId } of planned) {
      added.push(merger.add(this.operationOf(ctx, write, resource, recordId, records.get(recordId))));
    }
    const [count] = await db.query<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM change_set_operations WHERE change_set_id = ${changeSet}`,
    );
    refuseMoreThanMost(count!.count + merger.growth);
    await storeOperations(db, changeSet, ctx.caller.profileId, merger.changes);
    return added.map((operation) => (merger.isKept(operation) ? operation.id : undefined));
  }

  private madeBy(operations: readonly Pick<StoredOperation, 'op' | 'resource' | 'recordId'>[]): Made {
    const [created, deleted] = [new Set<string>(), new Set<string>()];
    const byRecord = new Map<Class, Set<string>>();
    for (const { op, resource, recordId } of operations) {
      if (op === 'delete') {
        deleted.add(recordId);
        continue;
      }
      created.add(recordId);
      deleted.delete(recordId);
      const known = this.resources.get(resource);
      if (known) addTo(byRecord, known.record, recordId);
    }
    return { created, deleted, byRecord };
  }

  private operationOf(
    { caller }: RequestContext,
    write: PlannedWrite,
    resource: PlannedResource,
    recordId: string,
    record: Values | undefined,
  ): StoredOperation {
    const about = { id: randomUUID(), op: write.op, resource: resource.name, recordId, columns: null, position: 0 };
    if (write.op === 'delete') {
      return { ...about, ...apart(resource, this.secrets, caller, null, record ?? null) };
    }
    const whole = dataOf(resource.bodies[write.op], write.body);
    const data = write.op === 'update' && write.before !== undefined ? changedIn(whole, write.before) : whole;
    if (write.op === 'create') {
      const { owner } = write;
      const owned = owner && resource.ownerField === owner.field ? { [owner.field]: owner.id, ...data } : data;
      return { ...about, ...apart(resource, this.secrets, caller, owned, null) };
    }
    return { ...about, ...apart(resource, this.secrets, caller, data, record ? valuesFor(data, record) : null) };
  }

  /** @throws ValidationFailed for references to records that neither exist nor are created by the change set */
  private async refuseDangling(ctx: InTransaction, planned: readonly Planned[], { byRecord }: Made): Promise<void> {
    const references = new References(ctx, byRecord);
    const faults: Fault[] = [];
    for (const { write, resource, recordId } of planned) {
      if (write.op === 'delete') continue;
      const path = write.path === undefined ? '' : `${write.path}.data.`;
      references.add(resource.bodies[write.op], write.body, path, recordId);
    }
    faults.push(...(await references.dangling(ctx.db)));
    if (faults.length > 0) throw new ValidationFailed(faults);
  }

  /** @throws NotFound, DomainError not_found for records that neither exist nor are created by the change set */
  private async refuseMissing({ db }: InTransaction, planned: readonly Planned[], made: Made): Promise<void> {
    const missing: Planned[] = [];
    for (const some of byResource(planned).values()) {
      const { resource, write } = some[0]!;
      const { owner } = write;
      if (owner && !made.created.has(owner.id)) await this.refuseWithoutOwner(db, resource, owner.id);
      const known = sqlOf(resource);
      const ids = some.filter((one) => one.write.op !== 'create').map(({ recordId }) => recordId);
      const scope = owner && !made.created.has(owner.id) ? conditionsOf(known, owner) : [];
      const rows =
        ids.length === 0
          ? []
          : await db.query<{ id: string }>(
              sql`SELECT t.id FROM ${identifier(known.table)} t ${where([sql`t.id = ANY(${ids})`, ...scope])}`,
            );
      const found = new Set(rows.map(({ id }) => id));
      for (const one of some) {
        if (one.write.op === 'create') continue;
        const exists = found.has(one.recordId) || made.created.has(one.recordId);
        if (!exists || made.deleted.has(one.recordId)) missing.push(one);
      }
    }
    if (missing.length === 0) return;
    const [{ write, resource }] = missing as [Planned];
    if (write.path === undefined) throw new NotFound(sqlOf(resource).label);
    const details = missing.map(
      (one) =>
        new Fault(`${one.write.path}.id`, `does not name an existing ${sqlOf(one.resource).label.toLowerCase()}`),
    );
    throw new DomainError('not_found', joined(details.slice(0, 10).map(String)), { details });
  }

  private async refuseWithoutOwner(db: Executor, { ownerRecord }: PlannedResource, id: string): Promise<void> {
    if (!ownerRecord) return;
    const owner = this.resources.get(resourceOf(ownerRecord)!)!;
    const { table, label } = sqlOf(owner);
    const rows = await db.query(sql`SELECT 1 FROM ${identifier(table)} WHERE id = ${id}`);
    if (rows.length === 0) throw new NotFound(label);
  }

  /** @throws DomainError precondition_failed */
  private async refuseStale(ctx: InTransaction, planned: readonly Planned[]): Promise<void> {
    for (const some of byResource(planned).values()) {
      const conditional = some.filter(({ write }) => write.op !== 'create' && write.versions !== undefined);
      const versions = await some[0]!.resource.service.versionsOf(
        ctx,
        conditional.map(({ recordId }) => recordId),
      );
      const stale = conditional.find(
        ({ write, recordId }) => write.op !== 'create' && !write.versions!.includes(versions.get(recordId) ?? ''),
      );
      if (!stale) continue;
      if (stale.write.path === undefined) throw new DomainError('precondition_failed');
      const fault = new Fault(`${stale.write.path}.ifMatch`, 'does not match: the record was changed meanwhile');
      throw new DomainError('precondition_failed', `${fault}`, { details: [fault] });
    }
  }

  /** The current values of the records that operations change or delete, with secrets encrypted. */
  private async recordsOf(ctx: InTransaction, planned: readonly Planned[], made: Made): Promise<Map<string, Values>> {
    const records = new Map<string, Values>();
    for (const some of byResource(planned).values()) {
      const { resource } = some[0]!;
      const ids = some
        .filter(({ write, recordId }) => write.op !== 'create' && !made.created.has(recordId))
        .map(({ recordId }) => recordId);
      const texts = await resource.service.textsOf(ctx, ids);
      for (const [id, text] of texts) records.set(id, JSON.parse(text) as Values);
    }
    return records;
  }
}

function addTo(byRecord: Map<Class, Set<string>>, record: Class, id: string): void {
  let ids = byRecord.get(record);
  if (!ids) byRecord.set(record, (ids = new Set()));
  ids.add(id);
}

/** Writes by their resource and owner. */
function byResource(planned: readonly Planned[]): Map<string, Planned[]> {
  const groups = new Map<string, Planned[]>();
  for (const one of planned) {
    const key = `${one.resource.name} ${one.write.owner?.id ?? ''}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
