import { setImmediate } from 'node:timers/promises';
import type { Secrets } from '../access/secrets.js';
import { sql } from '../database/sql.js';
import { writeOrFindRefused } from '../database/refused.js';
import type { Class } from '../fields/field.js';
import { CUSTOM } from '../fields/custom/custom-field.js';
import { Conflict, DomainError, Fault, NotFound, Unavailable, ValidationFailed } from '../http/errors.js';
import type { InTransaction } from '../lists/request-context.js';
import { References } from '../records/references.js';
import { conflictOf, nameChanges, refusedConflicts, type DeltaConflict, type Refused } from './delta-conflict.js';
import { DeltaWriter, lockRecords, readyFor, textsOf, type Ready } from './delta-writer.js';
import { byPath, fullBase, keptValues, same } from './operation-values.js';
import type { StoredOperation, Values } from './operation-store.js';
import { sqlOf, type PlannedResource, type PlannedResources } from './planned-resources.js';

/** Number of operations that are tried together. If one is refused, they are tried in halves. */
const CHUNK = 250;

/**
 * Compares operations with the estate and carries them out in one transaction, with the checks of the single requests. It collects all
 * conflicts instead of stopping at the first.
 */
export class Delta {
  readonly conflicts: DeltaConflict[] = [];
  /** JSON texts of records before and after each operation, by the ids of the operations. */
  readonly before = new Map<string, string>();
  readonly after = new Map<string, string>();
  private states = new Map<string, string>();
  private readonly records = new Map<string, Values>();
  private readonly refused: Refused[] = [];
  /** New records that are not created. */
  private readonly failed = new Set<string>();
  /** Records that no longer exist. */
  private readonly lost = new Set<string>();
  private readonly locked = new Map<Class, Set<string>>();
  private readonly writer: DeltaWriter;
  /** Operations by record, if a record has several. */
  private readonly several = new Set<string>();

  constructor(
    private readonly ctx: InTransaction,
    private readonly resources: PlannedResources,
    private readonly secrets: Secrets,
    readonly operations: readonly StoredOperation[],
    /** Time at which it gives up. */
    private readonly until = Infinity,
  ) {
    this.writer = new DeltaWriter(ctx, (id) => (this.several.has(id) ? undefined : this.records.get(id)));
    const met = new Set<string>();
    for (const { recordId } of operations) {
      if (met.has(recordId)) this.several.add(recordId);
      met.add(recordId);
    }
  }

  /** Locks the records, and compares them with their state when the operations were recorded. */
  compare(): Promise<void> {
    return this.inTime(() => this.compareAll());
  }

  private async compareAll(): Promise<void> {
    const made = new Set<string>();
    // In one order, so that two merges of the same records wait for each other instead of failing with a deadlock.
    const groups = [...this.byResource(this.operations)].toSorted(([a], [b]) => (a.name < b.name ? -1 : 1));
    for (const [resource, some] of groups) {
      const ids = [...new Set(some.filter(({ op }) => op !== 'create').map(({ recordId }) => recordId))];
      await lockRecords(this.ctx.db, resource, ids);
      for (const [id, text] of await textsOf(this.ctx, resource, ids)) {
        this.states.set(id, text);
        this.records.set(id, JSON.parse(text) as Values);
      }
      this.checkTime();
    }
    for (const operation of this.operations) {
      if (operation.op === 'create') made.add(operation.recordId);
      else if (!made.has(operation.recordId)) this.compareOne(operation);
    }
    await nameChanges(this.ctx.db, this.conflicts);
  }

  private compareOne(operation: StoredOperation): void {
    const { recordId, op, id } = operation;
    const record = this.records.get(recordId);
    const resource = this.resources.any(operation.resource)!;
    if (!record) {
      if (this.lost.has(recordId)) return;
      this.lost.add(recordId);
      this.conflicts.push(conflictOf(operation, 'gone', null, new NotFound(sqlOf(resource).label).message));
      return;
    }
    if (!this.before.has(id)) this.before.set(id, this.states.get(recordId)!);
    const base = fullBase(operation);
    if (!base) return;
    const [was, is] = [op === 'delete' ? keptValues(resource, base) : base, record].map((values) => byPath(values));
    const proposed = byPath(op === 'delete' ? null : { ...operation.data, ...operation.sealed?.data });
    for (const [path, value] of was!) {
      const current = is!.get(path) ?? null;
      if (same(value, current) || (proposed.has(path) && same(proposed.get(path), current))) continue;
      this.conflicts.push(conflictOf(operation, 'changed', path, `${path} was changed since`, record));
    }
  }

  /** Carries out the operations in order. Refused ones are left out. */
  run(): Promise<void> {
    return this.inTime(() => this.runAll());
  }

  private async runAll(): Promise<void> {
    const ready = this.operations
      .filter(({ recordId }) => !this.lost.has(recordId))
      .flatMap((one) => this.prepare(one));
    for (let start = 0; start < ready.length; start += CHUNK) {
      await this.runSome(ready.slice(start, start + CHUNK));
      await setImmediate();
    }
    await this.again(ready);
    for (const one of this.refused) {
      this.checkTime();
      const found = await refusedConflicts(this.ctx, one, this.records.get(one.operation.recordId));
      this.conflicts.push(...found);
    }
    const order = new Map(this.operations.map(({ id }, index) => [id, index]));
    this.conflicts.sort((a, b) => order.get(a.operationId)! - order.get(b.operationId)!);
    await this.readStates();
  }

  /** Columns from the change log are reverted in an order that the rules allow: refused operations are retried after the others. */
  private async again(ready: readonly Ready[]): Promise<void> {
    const byId = new Map(ready.map((one) => [one.operation.id, one]));
    for (;;) {
      const postponed = this.refused.filter(({ operation }) => operation.columns !== null);
      if (postponed.length === 0) return;
      const others = this.refused.filter(({ operation }) => operation.columns === null);
      this.refused.splice(0, this.refused.length, ...others);
      for (const { operation } of postponed) this.failed.delete(operation.recordId);
      await this.runSome(postponed.map(({ operation }) => byId.get(operation.id)!));
      if (this.refused.length >= others.length + postponed.length) return;
    }
  }

  private prepare(operation: StoredOperation): Ready[] {
    const resource = this.resources.any(operation.resource)!;
    const faults: Fault[] = [];
    const ready = readyFor(this.ctx, operation, resource, this.secrets, faults);
    if (faults.length === 0) return [ready];
    this.refuse(operation, new ValidationFailed(faults));
    return [];
  }

  private refuse(operation: StoredOperation, refusal: Refused['refusal'], error: unknown = refusal): void {
    this.refused.push({ operation, refusal, error });
    if (operation.op === 'create') this.failed.add(operation.recordId);
  }

  private async runSome(some: readonly Ready[]): Promise<void> {
    await this.limitStatements();
    const sound = await this.checked(some);
    await writeOrFindRefused(
      this.ctx.db,
      sound,
      async (chunk) => {
        this.checkTime();
        const wanted = chunk.filter(
          ({ operation, body }) => !this.failed.has(operation.recordId) && !this.mentionsFailed(body),
        );
        const states = this.several.size > 0 ? new Map(this.states) : undefined;
        try {
          await this.writer.write(wanted, (group) => this.keepStates(group));
        } catch (error) {
          // The stored states are reverted too.
          if (states) this.states = states;
          throw error;
        }
      },
      ({ operation }, refusal, error) => this.refuse(operation, refusal, error),
    );
  }

  /** Consequences of a refused new record are not conflicts of their own. */
  private mentionsFailed(body: object): boolean {
    if (this.failed.size === 0) return false;
    const values = [...Object.values(body), ...Object.values((body as { [CUSTOM]?: object })[CUSTOM] ?? {})];
    return values.some((value) => typeof value === 'string' && this.failed.has(value));
  }

  /** Operations without references to missing records. */
  private async checked(some: readonly Ready[]): Promise<Ready[]> {
    const references = new References(this.ctx, this.locked);
    for (const [index, { operation, resource, body }] of some.entries()) {
      const { op, recordId, columns } = operation;
      if (op === 'create') locked(this.locked, resource.record).add(recordId);
      if (op === 'delete' || columns) continue;
      references.add(resource.bodies[op], body, `${index}.`, recordId);
    }
    if (references.isEmpty) return [...some];
    const faulty = new Map<number, Fault[]>();
    for (const fault of await references.lock(this.ctx.db)) {
      const dot = fault.field.indexOf('.');
      const index = Number(fault.field.slice(0, dot));
      const own = fault.with({ field: fault.field.slice(dot + 1) });
      const given = (some[index]!.body as Values)[own.field];
      if (typeof given === 'string' && this.failed.has(given)) continue;
      faulty.set(index, [...(faulty.get(index) ?? []), own]);
    }
    for (const [index, faults] of faulty) this.refuse(some[index]!.operation, new ValidationFailed(faults));
    return some.filter((_, index) => !faulty.has(index));
  }

  /** Stores the state of records between two operations on them. */
  private async keepStates(group: readonly Ready[]): Promise<void> {
    const again = group.filter(({ operation }) => this.several.has(operation.recordId));
    if (again.length === 0) return;
    const { resource } = again[0]!;
    const texts = await textsOf(
      this.ctx,
      resource,
      again.map(({ operation }) => operation.recordId),
    );
    for (const { operation } of again) {
      const { id, recordId } = operation;
      const was = this.states.get(recordId);
      if (was !== undefined) this.before.set(id, was);
      const is = texts.get(recordId);
      if (is !== undefined) this.after.set(id, is);
      if (is === undefined) this.states.delete(recordId);
      else this.states.set(recordId, is);
    }
  }

  /** Reads the state of records after all operations. */
  private async readStates(): Promise<void> {
    const last = new Map(this.operations.map((operation) => [operation.recordId, operation]));
    for (const [resource, some] of this.byResource([...last.values()])) {
      const kept = some.filter(({ op }) => op !== 'delete');
      const texts = await textsOf(
        this.ctx,
        resource,
        kept.map(({ recordId }) => recordId),
      );
      for (const { id, recordId } of kept) {
        const text = texts.get(recordId);
        if (text !== undefined) this.after.set(id, text);
      }
      this.checkTime();
    }
  }

  private byResource(operations: readonly StoredOperation[]): Map<PlannedResource, StoredOperation[]> {
    const groups = new Map<PlannedResource, StoredOperation[]>();
    for (const operation of operations) {
      const resource = this.resources.any(operation.resource);
      if (!resource) throw new Conflict(new Fault('resource', `is ${operation.resource}, which has no records`));
      const group = groups.get(resource);
      if (group) group.push(operation);
      else groups.set(resource, [operation]);
    }
    return groups;
  }

  private checkTime(): void {
    if (Date.now() >= this.until) throw this.late();
  }

  private late(): Unavailable {
    return new Unavailable('The preview took longer than 10 seconds. Try again shortly, or divide the change set');
  }

  /** Limits each statement to the remaining time. */
  private async limitStatements(): Promise<void> {
    this.checkTime();
    if (this.until === Infinity) return;
    const left = Math.max(1, this.until - Date.now());
    await this.ctx.db.query(sql`SELECT set_config('statement_timeout', ${`${left}`}, true)`);
  }

  /** Runs work whose statements end in time. @throws Unavailable */
  private async inTime(work: () => Promise<void>): Promise<void> {
    try {
      await this.limitStatements();
      await work();
    } catch (error) {
      throw Date.now() >= this.until && !(error instanceof DomainError) ? this.late() : error;
    }
  }
}

function locked(all: Map<Class, Set<string>>, record: Class): Set<string> {
  let ids = all.get(record);
  if (!ids) all.set(record, (ids = new Set()));
  return ids;
}
