import type { InTransaction, RequestContext } from '../../lists/request-context.js';
import { Transaction } from '../../database/executor.js';
import { readBody } from '../../fields/bodies/bodies.js';
import type { Class, StoredField } from '../../fields/field.js';
import type { StoredRecord } from '../../fields/record.js';
import { DomainError, type Fault, invalid } from '../../http/errors.js';
import { betweenTurns } from '../../http/event-loop.js';
import { MIB } from '../../http/json-body.js';
import { type ActionReply, PlainReply } from '../../http/replies.js';
import type { ListQuery } from '../../lists/list-query.js';
import { tableOf } from '../../lists/record-sql.js';
import { otherRecord } from '../../records/other-record.js';
import type { Owner } from '../../records/owner.js';
import type { ResourceService } from '../../records/resource.service.js';
import type { Bodies } from '../bulk/bulk-body.js';
import type { Plans } from '../plans.js';
import { both, readAhead } from './ahead.js';
import { Columns } from './columns.js';
import type { FileBody } from './file-body.js';
import { ImportKey, keyColumns } from './import-key.js';
import { ImportPlan } from './import-plan.js';
import { ImportOutcome } from './import-outcome.js';
import { takeLock, untilUnlocked } from './import-queue.js';
import { type ImportOptions, refuseContradictions } from './import.options.js';
import { ReferenceTargets } from './reference-targets.js';
import { Within } from './reconcile.js';
import { isGood, isRead, type Row, RowReader } from './row.js';
import { RowWriter } from './row-writer.js';
import { openRows, readToEnd, type RowFile } from './rows.js';

/** Number of rows that are written together. */
const BATCH = 1000;
/** Bytes after which a batch ends too, so that the transaction does not wait long for a batch. */
const BATCH_BYTES = 4 * MIB;

interface Imported {
  service: ResourceService;
  record: Class<StoredRecord>;
  bodies: Bodies;
  list: ListQuery;
}

/** What an import would do. */
interface Foreseen {
  outcome: ImportOutcome;
  plan: ImportPlan;
  withoutKey?: number;
}

/** Rolls back the transaction of an import that keeps nothing. */
class Refused extends Error {}

/** Imports the rows of a file as records of one resource. */
export class Import {
  private readonly outcome: ImportOutcome;
  private readonly reader: RowReader;
  private readonly key?: ImportKey;
  private readonly targets: ReferenceTargets;
  private readonly writer: RowWriter;

  private constructor(
    private readonly resource: Imported,
    private readonly tx: InTransaction,
    columns: Columns,
    private readonly options: ImportOptions,
    private readonly owner: Owner | undefined,
    private readonly file: RowFile,
    private readonly signal: AbortSignal,
    private readonly plan?: ImportPlan,
  ) {
    const { service, bodies } = resource;
    const compiled = tx.resource(resource.record);
    const { record } = compiled;
    const { mode, key = ['id'] } = options;
    this.outcome = new ImportOutcome(options);
    this.reader = new RowReader(file.header, columns, options);
    this.writer = new RowWriter(service, bodies, tx, owner, this.outcome);
    if (mode !== 'create') {
      this.key = new ImportKey(
        compiled,
        keyColumns(key, compiled, columns, file.header),
        owner,
        mode === 'reconcile' ? 'upsert' : mode,
        tx.caller,
      );
    }
    const bringsIds = mode !== 'create' && key.length === 1 && key[0] === 'id';
    const toItself = ({ references }: StoredField): boolean => references?.() === record;
    this.targets = new ReferenceTargets(
      tx.db,
      compiled,
      bringsIds ? [...compiled.stored, ...compiled.custom.fields].filter(toItself) : [],
      this.key?.fields ?? [],
      owner,
    );
  }

  /**
   * Imports a file in one transaction.
   * @param signal aborts the import, which then writes nothing
   * @throws ValidationFailed, NotFound, DomainError
   */
  static async run(
    resource: Imported,
    ctx: RequestContext,
    body: FileBody,
    options: ImportOptions,
    owner: Owner | undefined,
    signal: AbortSignal,
  ): Promise<ActionReply> {
    if (options.mode === 'reconcile') throw invalid('changeSet', 'must be given with mode=reconcile');
    refuseContradictions(options);
    // Rows are written while the file is read, so the definitions must be current from the start.
    await ctx.refresh();
    const columns = new Columns(resource.record, resource.bodies.create, ctx);
    const checked = await openRows(body);
    columns.checkHeader(checked.header);
    const isWithin = ctx.db instanceof Transaction;
    // The file is read once before the transaction begins, so that its faults are found without a transaction that waits for it. With
    // an `Idempotency-Key` the transaction has begun already. The faults are then found during the writes, which they roll back.
    if (!isWithin) await readToEnd(checked);
    // Reset, because a transaction may be retried.
    let outcome: ImportOutcome | undefined;
    const work = async (tx: InTransaction): Promise<void> => {
      outcome = undefined;
      const file = await openRows(body);
      outcome = await new Import(resource, tx, columns, options, owner, file, signal).run();
      // Rolls back the written rows.
      if (outcome.isRefused) throw new Refused();
    };
    const attempt = (): Promise<void> => (options.dryRun ? ctx.transaction(work, true) : ctx.savepoint(work));
    try {
      // A transaction that has begun is retried by the function that began it.
      await (isWithin ? attempt() : untilUnlocked(attempt, () => signal.aborted));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    // Records that only this import had created no longer exist if it was refused or was a dry run.
    const { record } = resource;
    const recordOf = (table: string) => (table === tableOf(record) ? record : undefined);
    await outcome!.nameOthers((error) =>
      ctx.db.savepoint((tx) => otherRecord(tx, ctx.caller, recordOf, error)).catch(() => undefined),
    );
    return outcome!.reply();
  }

  /**
   * Records an import in a change set. The rows are imported into the estate as the change set would leave it, and rolled back.
   * @throws ValidationFailed, NotFound, Conflict, DomainError
   */
  static async plan(
    resource: Imported,
    ctx: RequestContext,
    body: FileBody,
    options: ImportOptions & { changeSet: string },
    owner: Owner | undefined,
    signal: AbortSignal,
    plans: Plans,
  ): Promise<PlainReply> {
    refuseContradictions(options);
    // The definitions must be current, because the file is written while it is read.
    await ctx.refresh();
    const { changeSet } = options;
    const { record, bodies, list, service } = resource;
    const columns = new Columns(record, bodies.create, ctx);
    const checked = await openRows(body);
    columns.checkHeader(checked.header);
    await readToEnd(checked);
    const within = options.mode === 'reconcile' ? new Within(ctx, list, options.within!, owner) : undefined;
    const imported = (tx: InTransaction, file: RowFile, plan?: ImportPlan): Import =>
      new Import(resource, tx, columns, options, owner, file, signal, plan);
    const foreseen = async (tx: InTransaction): Promise<Foreseen> => {
      const plan = new ImportPlan(tx, record, service, owner, within);
      const { missing = [], withoutKey } = within ? await imported(tx, await openRows(body)).missing(within) : {};
      await plan.remove(missing);
      const outcome = await imported(tx, await openRows(body), plan).run();
      await plan.finish();
      return { outcome, plan, withoutKey };
    };
    const work = (): Promise<PlainReply> =>
      ctx.transaction(async (tx) => {
        const { outcome, plan, withoutKey } = await plans.foresee(tx, changeSet, foreseen);
        if (outcome.isRefused) throw outcome.refusal();
        return PlainReply.of({ operations: await plans.store(tx, changeSet, plan.writes), withoutKey }, 202);
      });
    return ctx.db instanceof Transaction ? work() : untilUnlocked(work, () => signal.aborted);
  }

  /** The records that match a filter and whose keys are in no row. @throws ValidationFailed for a file without rows */
  private async missing(within: Within): Promise<{ missing: string[]; withoutKey: number }> {
    const { key, options, owner } = this;
    await this.resource.service.lock(this.tx, [], owner);
    await takeLock(this.tx.db, key!.lockName);
    const existing: string[] = [];
    let isEmpty = true;
    for await (const batch of this.batches()) {
      isEmpty = false;
      await this.lookUp(batch, false);
      existing.push(...batch.flatMap((row) => row.existing ?? []));
    }
    if (isEmpty && !options.allowEmpty) {
      throw invalid(
        'body',
        'must have a row: without one everything within the filter would be deleted. Set allowEmpty if that is meant',
      );
    }
    return within.missing(this.tx.db, existing, key!.fields);
  }

  private async run(): Promise<ImportOutcome> {
    // Checks that the owner of parts exists, whatever the rows contain.
    await this.resource.service.lock(this.tx, [], this.owner);
    if (this.key) await takeLock(this.tx.db, this.key.lockName);
    // While the database writes a batch, the next one is validated and the one after it is read.
    let ready: readonly Row[] = [];
    const late: Row[] = [];
    for await (const batch of readAhead(this.batches())) {
      if (batch.some((row) => this.targets.isRelative(row))) {
        await this.write(ready);
        ready = [];
        late.push(...(await this.importInOrder(batch)));
      } else {
        // Before the previous batch is written: a refused row rolls back all statements since its savepoint.
        await this.lookUp(batch, false);
        await both(this.write(ready), this.validate(batch));
        ready = batch;
      }
    }
    await this.write(ready);
    await this.importLate(late);
    return this.outcome;
  }

  private async *batches(): AsyncGenerator<Row[], void> {
    let batch: Row[] = [];
    let bytes = 0;
    const turn = betweenTurns();
    for await (const fileRow of this.file.rows) {
      batch.push(this.reader.read(fileRow));
      bytes += fileRow.bytes;
      await turn();
      if (batch.length === BATCH || bytes >= BATCH_BYTES) {
        yield batch;
        batch = [];
        bytes = 0;
      }
    }
    if (batch.length > 0) yield batch;
  }

  /** Writes rows, and counts them after the last statement. */
  private async write(batch: readonly Row[]): Promise<void> {
    await this.plan?.begin(batch);
    await this.writer.write(batch);
    await this.plan?.take(batch);
    this.outcome.add(batch);
    if (this.signal.aborted) throw new DomainError('validation', 'The client has disconnected');
  }

  /**
   * Imports rows that may refer to each other's records. Referenced records are written first.
   * @param isEnd whether no further rows follow
   * @returns rows whose references lead nowhere so far
   */
  private async importInOrder(batch: readonly Row[], isEnd = false): Promise<readonly Row[]> {
    let waiting: readonly Row[] = batch;
    let isLast = false;
    while (waiting.length > 0) {
      const postponed: ReadonlySet<Row> = await this.lookUp(waiting, isLast);
      const present: readonly Row[] = waiting.filter((row) => !postponed.has(row));
      await this.validate(present);
      await this.write(present);
      isLast = present.length === 0;
      if (isLast && !isEnd) return waiting;
      waiting = [...postponed];
    }
    return [];
  }

  /** Imports rows whose references could not be resolved before the end of the file. */
  private async importLate(late: readonly Row[]): Promise<void> {
    let isEnd = false;
    for (let rows = late; rows.length > 0;) {
      const left: Row[] = [];
      for (let start = 0; start < rows.length; start += BATCH) {
        left.push(...(await this.importInOrder(rows.slice(start, start + BATCH), isEnd)));
      }
      isEnd = left.length === rows.length;
      rows = left;
    }
  }

  /**
   * Finds the records that rows update, and the targets of their references.
   * @returns rows that may refer to records of other rows
   */
  private async lookUp(rows: readonly Row[], isLast: boolean): Promise<ReadonlySet<Row>> {
    const postponed = await this.targets.resolve(rows, isLast);
    if (!this.key) return postponed;
    const present = rows.filter((row) => isGood(row) && !postponed.has(row));
    await this.key.findExisting(this.tx.db, present);
    for (const row of await this.targets.resolveByExisting(present, isLast)) postponed.add(row);
    return postponed;
  }

  private async validate(rows: readonly Row[]): Promise<void> {
    const turn = betweenTurns();
    for (const row of rows) {
      this.validateRow(row);
      await turn();
    }
  }

  private validateRow(row: Row): void {
    // Properties that were not read would seem to be missing.
    if (!isRead(row)) return;
    const { create, update } = this.resource.bodies;
    const { mode } = this.options;
    // A row without a valid key may create or update a record, so no property is required.
    const isChange =
      row.existing !== undefined || mode === 'update' || ((mode === 'upsert' || mode === 'reconcile') && !isGood(row));
    const before = new Set(row.faults.map(({ field }) => field));
    const resolved = new Set(row.texts.map(({ column }) => column.reference.property));
    const faults: Fault[] = [];
    row.body = readBody(isChange ? update : create, row.given, '', faults, this.tx.fields);
    for (const fault of faults) {
      // A required reference whose text was not found already has a fault.
      if (!before.has(fault.field) && !(before.size > 0 && resolved.has(fault.field))) row.faults.push(fault);
    }
  }
}
