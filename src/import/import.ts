import { setImmediate, setTimeout } from 'node:timers/promises';
import { hasRole } from '../access/access.js';
import type { RequestContext } from '../access/request-context.js';
import { rehearse, type Executor } from '../database/database.js';
import { refusalOf } from '../database/database-errors.js';
import { readBody } from '../bodies/bodies.js';
import type { Class, StoredField } from '../fields/field.js';
import { labelOf } from '../fields/record-entity.js';
import { Invalid } from '../types/field-type.js';
import { readValue } from '../fields/validation.js';
import { DomainError, Fault, invalid, joined, RowFault, Unavailable } from '../http/errors.js';
import type { FileBody } from '../files/file-body.js';
import { ActionReply } from '../http/replies.js';
import { findByText, RecordKeys, textsById } from '../references/record-keys.js';
import { References } from '../references/references.js';
import { resourceOf } from '../projection/resource.js';
import type { Owner, ResourceService } from '../records/resource.service.js';
import type { Bodies } from '../bulk/bulk-body.js';
import { Columns, textOf, valueOf, type Column, type TextColumn } from './columns.js';
import type { ImportOptions } from './import.options.js';
import { countRows, MAX_ROWS, openRows, type FileRow, type RowFile } from '../files/rows.js';

/** Number of rows that are written together. */
const BATCH = 1000;
/** Number of rows that are read or validated before other requests get a turn. */
const AT_ONCE = 50;
/** Largest number of faults in a response. */
const MAX_FAULTS = 1000;
/** Milliseconds to wait for another import with the same key. */
const PATIENCE = 60_000;

/** A row on its way to a record. */
interface Row {
  row: number;
  line: number;
  /** Properties of the body, as they were sent. */
  given: Record<string, unknown>;
  /** Texts that identify the targets of references. */
  texts: { column: TextColumn; text: string }[];
  faults: Fault[];
  /** Id in the file. */
  sentId?: unknown;
  /** Validated body. */
  body: object;
  /** Id of the existing record that the row updates. */
  existing?: string;
  /** Id in the file for a new record. */
  newId?: string;
}

interface Key {
  /** Name of the column. */
  name: string;
  field: StoredField;
}

/** Imports the rows of a file as records of one resource. */
export class Import {
  private rows = 0;
  private created = 0;
  private updated = 0;
  private unchanged = 0;
  private failed = 0;
  private readonly faults: RowFault[] = [];
  private readonly ids: (string | null)[] = [];
  /** Row number by normalised key. */
  private readonly keys = new Map<string, number>();
  private readonly held = new Map<Class, Set<string>>();
  /** Ids by text, for each column. */
  private readonly named = new Map<string, Map<string, string>>();
  private readonly key: readonly Key[];
  private readonly finder?: RecordKeys;
  /** References to records of the imported resource that rows bring with their ids. */
  private readonly amongThemselves: readonly StoredField[];
  /** The columns of a header, by their positions; null for one without a name. */
  private readonly header: readonly (Column | null)[];

  private constructor(
    private readonly resource: { service: ResourceService; record: Class; bodies: Bodies },
    private readonly ctx: RequestContext,
    private readonly columns: Columns,
    private readonly options: ImportOptions,
    private readonly owner: Owner | undefined,
    private readonly file: RowFile,
    private readonly signal: AbortSignal,
  ) {
    this.header = (file.header ?? []).map((name) => columns.of(name));
    this.key = options.mode === 'create' ? [] : this.keyOf(options.key ?? ['id']);
    this.amongThemselves = this.isById
      ? resourceOf(resource.record as never).stored.filter(({ references }) => references?.() === resource.record)
      : [];
    if (this.key.length > 0) {
      const column = owner && resourceOf(resource.record as never).field(owner.field).columnName;
      this.finder = new RecordKeys(
        resource.record,
        this.key.map(({ field }) => field),
        owner && { owner, column: column! },
      );
    }
  }

  /**
   * Imports a file in one transaction.
   * @param signal aborts the import, which then writes nothing
   * @throws ValidationFailed, NotFound, DomainError
   */
  static async run(
    resource: { service: ResourceService; record: Class; bodies: Bodies },
    ctx: RequestContext,
    body: FileBody,
    options: ImportOptions,
    owner: Owner | undefined,
    signal: AbortSignal,
  ): Promise<ActionReply> {
    if (options.mode === 'create' && options.key) throw invalid('key', 'must not be given with mode=create');
    // Before the transaction, so that a faulty header costs no work.
    if (body.lines > MAX_ROWS) await countRows(body);
    const columns = new Columns(resource.record, resource.bodies.create, ctx.caller);
    // Reset, because a transaction may be repeated.
    const work = async (tx: Executor): Promise<ActionReply> => {
      const file = await openRows(body);
      if (file.header) columns.checkHeader(file.header);
      const within = { ...ctx, db: tx };
      return new Import(resource, within, columns, options, owner, file, signal).run();
    };
    return options.dryRun ? rehearse(ctx.db, work) : ctx.db.transaction(work);
  }

  private keyOf(names: readonly string[]): Key[] {
    const stored = resourceOf(this.resource.record as never).stored;
    const faults: Fault[] = [];
    const key: Key[] = [];
    for (const name of names) {
      const column = this.columns.of(name);
      const field =
        name === 'id'
          ? stored.find(({ property }) => property === 'id')
          : column?.kind === 'text'
            ? column.reference
            : column?.kind === 'value' && column.field.kind === 'stored' && !column.field.secret
              ? stored.find(({ property }) => property === name)
              : undefined;
      if (!field || field.type.column(field).array === true) faults.push(new Fault('key', `cannot be '${name}'`));
      else if (this.file.header && !this.file.header.includes(name)) {
        faults.push(new Fault('key', `is '${name}', which is not a column of the file`));
      } else key.push({ name, field });
    }
    if (faults.length > 0) throw new DomainError('validation', joined(faults.map(String)), { details: faults });
    return key;
  }

  private async run(): Promise<ActionReply> {
    const { service } = this.resource;
    const { db } = this.ctx;
    // Checks that the owner of parts exists, whatever the rows contain.
    await service.lock(db, [], this.owner);
    if (this.finder) await takeTurn(db, `import ${this.finder.name}`, this.signal);
    // While the database writes a batch, the next one is validated and the one after it is read.
    let ready: readonly Row[] = [];
    const late: Row[] = [];
    for await (const batch of readAhead(this.batches())) {
      if (batch.some((row) => this.refersToItsKind(row))) {
        await this.finish(ready, this.write(ready));
        ready = [];
        late.push(...(await this.importInTurn(batch)));
      } else {
        // Before the batch ahead of it is written: a refused row undoes all statements since its savepoint.
        await this.lookUp(batch, false);
        await both(this.finish(ready, this.write(ready)), this.validate(batch));
        ready = batch;
      }
    }
    await this.finish(ready, this.write(ready));
    await this.importLate(late);
    if (this.failed > 0 && this.options.onError === 'abort') throw this.refusal();
    return this.reply();
  }

  // ------------------------------------------------------------------ reading

  private async *batches(): AsyncGenerator<Row[], void> {
    let batch: Row[] = [];
    for await (const fileRow of this.file.rows) {
      batch.push(this.read(fileRow));
      if (batch.length % AT_ONCE === 0) await setImmediate();
      if (batch.length === BATCH) {
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  }

  private read({ row, line, cells, values, fault }: FileRow): Row {
    const read: Row = { row, line, given: {}, texts: [], faults: [], body: {} };
    if (fault !== undefined) read.faults.push(new Fault('', fault));
    if (cells) {
      for (const [index, column] of this.header.entries()) {
        const cell = cells[index];
        const text = column && cell !== undefined ? textOf(cell, this.options) : undefined;
        if (text !== undefined) this.take(read, column!, text, true);
      }
    } else if (values) {
      for (const name of Object.keys(values)) {
        const column = this.columns.of(name);
        if (column) this.take(read, column, values[name], false);
        else if (!this.columns.isExpansion(name)) {
          read.faults.push(new Fault(name, this.columns.unknown(name, this.faults.length)));
        }
      }
    }
    return read;
  }

  /** Takes the value of a column: a text of a CSV file, or null, or a JSON value. */
  private take(row: Row, column: Column, value: unknown, isText: boolean): void {
    const { name } = column;
    const { given, texts, faults } = row;
    if (name === 'id') row.sentId = value ?? undefined;
    if (column.kind === 'text') {
      if (typeof value === 'string' && value !== '') texts.push({ column, text: value });
      else if (value === null) given[column.reference.property] ??= null;
      else faults.push(new Fault(name, 'must be a text'));
    } else if (column.kind === 'value') {
      const sent = isText ? valueOf(value as string | null, column.field) : value;
      // A reference is given by its id or by a text, whichever is not empty.
      if (sent !== null || !(name in given)) given[name] = sent;
    }
  }

  // ------------------------------------------------------------------ writing

  /** Counts the rows of a batch after the last of its statements. */
  private async finish(batch: readonly Row[], written: Promise<void>): Promise<void> {
    await written;
    this.rows += batch.length;
    for (const { row, line, faults } of batch) {
      if (faults.length === 0) continue;
      this.failed++;
      for (const { field, message } of faults) {
        if (this.faults.length < MAX_FAULTS) this.faults.push(new RowFault(field, message, row, line));
      }
    }
    if (this.signal.aborted) throw new DomainError('validation', 'The client has disconnected');
  }

  /** Whether a row refers to a record of the imported resource, which may be that of another row. */
  private refersToItsKind({ texts, given }: Row): boolean {
    return (
      texts.some(({ column }) => column.target === this.resource.record) ||
      this.amongThemselves.some(({ property }) => typeof given[property] === 'string')
    );
  }

  /**
   * Imports rows of which some may refer to records of others, which have to be written before them.
   * @param isEnd whether no more rows come that they may refer to
   * @returns rows that refer to nothing so far
   */
  private async importInTurn(batch: readonly Row[], isEnd = false): Promise<readonly Row[]> {
    let waiting: readonly Row[] = batch;
    let isLast = false;
    while (waiting.length > 0) {
      const postponed: ReadonlySet<Row> = await this.lookUp(waiting, isLast);
      const present: readonly Row[] = waiting.filter((row) => !postponed.has(row));
      await this.validate(present);
      await this.finish(present, this.write(present));
      isLast = present.length === 0;
      if (isLast && !isEnd) return waiting;
      waiting = [...postponed];
    }
    return [];
  }

  /** Imports rows whose references led nowhere before the last row of the file. */
  private async importLate(late: readonly Row[]): Promise<void> {
    let isEnd = false;
    for (let rows = late; rows.length > 0;) {
      const left: Row[] = [];
      for (let start = 0; start < rows.length; start += BATCH) {
        left.push(...(await this.importInTurn(rows.slice(start, start + BATCH), isEnd)));
      }
      isEnd = left.length === rows.length;
      rows = left;
    }
  }

  /**
   * Finds the records that rows update, and the targets of their references.
   * @returns rows that refer to what may be among the other rows
   */
  private async lookUp(rows: readonly Row[], isLast: boolean): Promise<ReadonlySet<Row>> {
    const postponed = new Set(await this.resolveTexts(rows, isLast));
    if (!isLast) for (const row of await this.referringToNone(rows)) postponed.add(row);
    await this.findExisting(rows.filter((row) => isGood(row) && !postponed.has(row)));
    return postponed;
  }

  /** Rows that refer by id to a record of their own kind that does not exist: another row may bring it. */
  private async referringToNone(rows: readonly Row[]): Promise<Row[]> {
    const uses = this.amongThemselves.flatMap((field) =>
      rows.flatMap((row) => {
        const id = typeof row.given[field.property] === 'string' ? readValue(row.given[field.property], field) : null;
        return isGood(row) && typeof id === 'string' ? [{ row, id }] : [];
      }),
    );
    const { record } = this.resource;
    const ids = [...new Set(uses.map(({ id }) => id))];
    const found = await textsById(this.ctx.db, record, resourceOf(record as never).field('id'), ids);
    return uses.filter(({ id }) => !found.has(id)).map(({ row }) => row);
  }

  private async validate(rows: readonly Row[]): Promise<void> {
    let count = 0;
    for (const row of rows) {
      this.validateRow(row);
      if (++count % AT_ONCE === 0) await setImmediate();
    }
  }

  private async write(rows: readonly Row[]): Promise<void> {
    await this.checkReferences(rows.filter(isGood));
    const good = rows.filter(isGood);
    await this.settle(
      good.filter(({ existing }) => existing === undefined),
      (some) => this.create(some),
    );
    await this.settle(
      good.filter(({ existing }) => existing !== undefined),
      (some) => this.update(some),
    );
  }

  /** Finds the targets of texts, with one statement per column. @returns rows whose targets may be among the other rows */
  private async resolveTexts(rows: readonly Row[], isLast: boolean): Promise<Row[]> {
    const uses = new Map<string, { column: TextColumn; uses: { row: Row; text: string }[] }>();
    for (const row of rows) {
      for (const { column, text } of row.texts) {
        let use = uses.get(column.name);
        if (!use) uses.set(column.name, (use = { column, uses: [] }));
        use.uses.push({ row, text });
      }
    }
    const postponed: Row[] = [];
    for (const { column, uses: all } of uses.values()) {
      const { property } = column.reference;
      const named = all.filter(({ row }) => typeof row.given[property] !== 'string');
      await this.compareTexts(
        column,
        all.filter(({ row }) => typeof row.given[property] === 'string'),
      );
      const isSelf = column.target === this.resource.record;
      const known = isSelf ? new Map<string, string>() : (this.named.get(column.name) ?? new Map<string, string>());
      this.named.set(column.name, known);
      const texts = [...new Set(named.map(({ text }) => text))].filter((text) => !known.has(text));
      const searched = column.findable
        ? texts.filter((text) => !(readValue(text, plain(column.field)) instanceof Invalid))
        : [];
      const found = await findByText(this.ctx.db, column.target, column.field, searched);
      for (const [text, { matches, id }] of found) if (matches === 1) known.set(text, id);
      for (const { row, text } of named) {
        const id = known.get(text);
        const label = labelOf(column.target);
        if (id !== undefined) row.given[property] = id;
        else if (!column.findable)
          row.faults.push(new Fault(column.name, `needs the role admin to find a ${label}; give ${property}`));
        else if (found.has(text))
          row.faults.push(new Fault(column.name, `matches ${found.get(text)!.matches} records; give ${property}`));
        else if (isSelf && !isLast && isGood(row)) postponed.push(row);
        else row.faults.push(new Fault(column.name, `does not match an existing ${label}`));
      }
    }
    return postponed;
  }

  /** The id decides. A text beside it must identify the same record. */
  private async compareTexts(column: TextColumn, uses: readonly { row: Row; text: string }[]): Promise<void> {
    const { property } = column.reference;
    const compared = column.findable ? uses : [];
    const ids = compared
      .map(({ row }) => readValue(row.given[property], column.reference))
      .filter((id) => typeof id === 'string');
    const texts = await textsById(this.ctx.db, column.target, column.field, [...new Set(ids)]);
    const folded = (text: string): string => column.field.type.folded?.(text) ?? text;
    for (const { row, text } of compared) {
      const stored = texts.get(String(row.given[property]).toLowerCase());
      if (stored !== undefined && (stored === null || folded(stored) !== folded(text))) {
        row.faults.push(new Fault(column.name, `is not that of the record that ${property} refers to`));
      }
    }
  }

  private get isById(): boolean {
    return this.key.length === 1 && this.key[0]!.name === 'id';
  }

  private async findExisting(rows: readonly Row[]): Promise<void> {
    if (!this.finder) return;
    const byId = this.isById;
    const keyed: { row: Row; key: unknown[] }[] = [];
    for (const row of rows) {
      const key = this.key.map(({ name, field }) => {
        const sent = name === 'id' ? row.sentId : row.given[field.property];
        if (sent === undefined || sent === null || sent === '') {
          if (!(byId && this.options.mode === 'upsert'))
            row.faults.push(new Fault(name, 'must not be empty, as it is the key'));
          return undefined;
        }
        const value = readValue(sent, field);
        if (!(value instanceof Invalid)) return value;
        row.faults.push(new Fault(name, value.message));
        return undefined;
      });
      if (key.every((value) => value !== undefined)) keyed.push({ row, key });
    }
    const found = await this.finder.find(
      this.ctx.db,
      keyed.map(({ key }) => key),
    );
    const name = this.key.map((key) => key.name).join(',');
    for (const [index, { row, key }] of keyed.entries()) {
      const { matches, id, key: text } = found[index]!;
      const earlier = this.keys.get(text);
      this.keys.set(text, earlier ?? row.row);
      const label = labelOf(this.resource.record);
      if (earlier !== undefined) row.faults.push(new Fault(name, `is the key of row ${earlier} too`));
      else if (matches > 1) row.faults.push(new Fault(name, `matches ${matches} records`));
      else if (matches === 1) row.existing = id!;
      else if (this.options.mode === 'update') row.faults.push(new Fault(name, `does not match an existing ${label}`));
      else if (byId && !hasRole(this.ctx.caller, 'admin')) {
        row.faults.push(
          new Fault(name, `does not name an existing ${label}; a new one gets a given id only from an admin`),
        );
      } else if (byId) row.newId = key[0] as string;
    }
  }

  private validateRow(row: Row): void {
    // Nothing is known of a row that could not be read.
    if (row.faults.some(({ field }) => field === '')) return;
    const { create, update } = this.resource.bodies;
    const { mode } = this.options;
    // Whether a row without a sound key makes a new record is not known, and nothing is required of it.
    const isChange = row.existing !== undefined || mode === 'update' || (mode === 'upsert' && !isGood(row));
    const before = new Set(row.faults.map(({ field }) => field));
    const resolved = new Set(row.texts.map(({ column }) => column.reference.property));
    const faults: Fault[] = [];
    row.body = readBody(isChange ? update : create, row.given, '', faults);
    for (const fault of faults) {
      // A required reference whose text matches nothing already has a fault.
      if (!before.has(fault.field) && !(before.size > 0 && resolved.has(fault.field))) row.faults.push(fault);
    }
  }

  private async checkReferences(rows: readonly Row[]): Promise<void> {
    const { create, update } = this.resource.bodies;
    const references = new References(this.held);
    for (const [index, { body, existing }] of rows.entries()) {
      references.add(existing === undefined ? create : update, body, `${index}.`);
    }
    for (const { field, message } of await references.hold(this.ctx.db)) {
      const dot = field.indexOf('.');
      rows[Number(field.slice(0, dot))]!.faults.push(new Fault(field.slice(dot + 1), message));
    }
  }

  /** Writes rows together. If any is refused, writes each half by itself, until the refused rows are alone. */
  private async settle(rows: readonly Row[], write: (rows: readonly Row[]) => Promise<void>): Promise<void> {
    if (rows.length === 0) return;
    try {
      await this.ctx.db.savepoint(() => write(rows));
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      if (rows.length === 1) {
        rows[0]!.faults.push(...(refusal.extra.details ?? [new Fault('', refusal.message)]));
        return;
      }
      const middle = rows.length >> 1;
      await this.settle(rows.slice(0, middle), write);
      await this.settle(rows.slice(middle), write);
    }
  }

  private async create(rows: readonly Row[]): Promise<void> {
    const ids = await this.resource.service.createMany(
      this.ctx,
      rows.map(({ body }) => body),
      this.owner,
      rows.map(({ newId }) => newId),
    );
    this.created += rows.length;
    for (const [index, { row }] of rows.entries()) this.remember(row, ids[index]!);
  }

  private async update(rows: readonly Row[]): Promise<void> {
    const changed = await this.resource.service.updateMany(
      this.ctx,
      rows.map(({ existing, body }) => ({ id: existing!, body })),
      this.owner,
    );
    const count = changed.filter(Boolean).length;
    this.updated += count;
    this.unchanged += rows.length - count;
    for (const { row, existing } of rows) this.remember(row, existing!);
  }

  private remember(row: number, id: string): void {
    if (this.options.report === 'ids') this.ids[row - 1] = id;
  }

  // ------------------------------------------------------------------ answers

  private refusal(): DomainError {
    const details = this.sortedFaults.map(
      ({ field, message, row, line }) =>
        new RowFault(field === '' ? `rows[${row}]` : `rows[${row}].${field}`, message, row, line),
    );
    const count = (n: number): string => n.toLocaleString('en');
    const sentences = joined(details.slice(0, 10).map(String));
    return new DomainError('validation', `${count(this.failed)} of ${count(this.rows)} rows failed: ${sentences}`, {
      details,
    });
  }

  /** Rows that waited for others come after them. */
  private get sortedFaults(): readonly RowFault[] {
    return this.faults.toSorted((a, b) => a.row - b.row);
  }

  private reply(): ActionReply {
    const { rows, created, updated, unchanged, failed, sortedFaults: faults } = this;
    const ids = Array.from({ length: rows }, (_, index) => this.ids[index] ?? null);
    const summary = {
      rows,
      created,
      updated,
      unchanged,
      failed,
      faults: faults.map(({ row, line, field, message }) => ({ row, line, field, message })),
      ...(this.options.report === 'ids' && { ids }),
    };
    return new ActionReply([JSON.stringify(summary)], [], this.options.dryRun);
  }
}

const isGood = ({ faults }: Row): boolean => faults.length === 0;

/** A field with the checks of its type only, because any text of the type may be looked up. */
const plain = ({ type, ...field }: StoredField): StoredField => ({
  ...field,
  type: type.sqlType === 'text' ? { ...type, read: (value) => value } : type,
});

/** The values of a source. The next one is made while the current one is used. */
async function* readAhead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = source.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = source.next();
      // A failure is handled where it is awaited.
      next.catch(() => {});
      yield value;
    }
  } finally {
    source.return().catch(() => {});
  }
}

/** Waits for both, also if one fails. @throws the error of the first, else that of the second */
async function both(first: Promise<void>, second: Promise<void>): Promise<void> {
  for (const result of await Promise.allSettled([first, second])) {
    if (result.status === 'rejected') throw result.reason;
  }
}

/** Waits until no other transaction holds the lock of the name, and holds it until the transaction ends. */
async function takeTurn(tx: Executor, name: string, signal: AbortSignal): Promise<void> {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const [turn] = await tx.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken',
      [name],
    );
    if (turn!.taken) return;
    if (signal.aborted || Date.now() > until) {
      throw new Unavailable('Another import with the same key is running. Try again shortly', 10);
    }
    await setTimeout(50);
  }
}
