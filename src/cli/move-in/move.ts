import type { CustomFields } from './custom-fields.js';
import type { CustomValue, Known, Moved } from './mapping.js';
import { LeftOut, type Ids, type Kind, type Outcome, type Row, type SourceObject } from './model.js';
import { Numbers } from './numbers.js';
import type { Report } from './report.js';
import { longestOf, type RowFault, type Service } from './service.js';
import type { Link, Source } from './source.js';
import { groupBy } from './shapes.js';
import type { Spool } from './spool.js';

/** Rows of one request. */
const BATCH = 500;
/** Maximum number of rounds in which a row is sent again without the values that were refused. */
const ROUNDS = 10;

const OUTCOMES: readonly (Outcome | undefined)[] = [undefined, 'created', 'updated', 'unchanged'];

interface MoveOptions {
  isDryRun: boolean;
  /** Values that have no field here are left out. */
  withoutCustomFields: boolean;
  /** Called with the current step and the number of finished objects. */
  onProgress: (what: string, done: number) => void;
}

/** One run: it writes the objects of a source, kind by kind, and reports what became of each. */
export class Move implements Known {
  /** 1 for each object that is a record or will become one. */
  private readonly moved = new Numbers();
  /** Their ids in a dry run, in which references lead to records that do not exist. */
  private readonly expected = new Set<string>();
  /** Outcome of the first record of each object, as an index of `OUTCOMES`. */
  private readonly used = new Numbers();
  /** Records with references to objects that were not records yet when the record was sent. */
  private readonly awaiting: { object: SourceObject; path: string; values: CustomValue[] }[] = [];
  private readonly resources: ReadonlyMap<string, string>;

  constructor(
    private readonly source: Source,
    private readonly spool: Spool,
    private readonly service: Service,
    private readonly customFields: CustomFields,
    readonly ids: Ids,
    readonly report: Report,
    private readonly options: MoveOptions,
  ) {
    this.resources = new Map(source.kinds.map(({ model, resource }) => [model, resource]));
  }

  has(model: string, pk: string): boolean {
    return this.moved.get(model, pk) > 0;
  }

  resourceOf(model: string): string | undefined {
    return this.resources.get(model);
  }

  nameOf(model: string, pk: string): string | undefined {
    return this.source.nameOf(model, pk);
  }

  /** @throws CommandError if the service refuses more than single rows */
  async run(): Promise<void> {
    if (!this.options.withoutCustomFields) await this.customFields.load();
    if (!this.options.isDryRun) await this.removeParts();
    for (const kind of this.source.kinds) await inBatches(this.mapped(kind), (batch) => this.write(kind, batch));
    const awaited = this.awaited();
    await this.moveLinks(this.source.links(this.spool, this));
    // A dry run has written nothing that could be changed.
    if (!this.options.isDryRun) await this.moveLinks(awaited);
    await this.handOut();
    if (!this.options.isDryRun) await this.count();
    for (const model of this.spool.counts.keys()) {
      const kinds = this.source.kinds.filter((kind) => kind.model === model);
      if (kinds.some(({ takes }) => !takes)) continue;
      for await (const object of this.spool.read(model)) {
        const { pk } = object;
        if (kinds.some(({ takes }) => takes!(object))) continue;
        const outcome = this.source.values.has(model) ? OUTCOMES[this.used.get(model, pk)] : undefined;
        if (outcome) this.report.count(model, outcome);
        else
          this.report.leftOut(
            model,
            pk,
            object.fault ?? (this.source.values.has(model) ? 'nothing refers to it' : this.source.reasonOf(model)),
          );
      }
    }
  }

  /** The objects of a kind as records. Objects that cannot become one are left out. */
  private async *mapped(kind: Kind): AsyncGenerator<Moved> {
    for await (const object of kind.after ? this.spool.inOrder(kind.model, kind.after) : this.spool.read(kind.model)) {
      if (kind.takes?.(object) === false) continue;
      try {
        if (object.fault !== undefined) throw new LeftOut(object.fault);
        if (this.has(kind.model, object.pk)) throw new LeftOut('it stands twice');
        const moved = this.source.map(kind, object, this);
        const missing = kind.required?.find((property) => property in moved.row && moved.row[property] == null);
        if (missing !== undefined) throw new LeftOut(`it has no ${missing}`);
        this.keep(kind.model, object.pk);
        yield moved;
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error;
        this.report.leftOut(kind.model, object.pk, error.message);
      }
    }
  }

  private keep(model: string, pk: string): void {
    this.moved.set(model, pk, 1);
    if (this.options.isDryRun) this.expected.add(this.ids.of(model, pk));
  }

  private async write(kind: Kind, batch: readonly Moved[]): Promise<void> {
    const rows = new Map<Moved, Row>();
    for (const moved of batch) {
      rows.set(moved, {
        id: this.ids.of(kind.model, moved.object.pk),
        ...moved.row,
        ...(await this.customOf(kind, moved)),
      });
    }
    for (const [path, group] of groupBy(batch, ({ part }) => part?.path ?? kind.resource))
      await this.writeTo(path, kind, group, rows);
    this.options.onProgress(kind.model, this.report.total);
  }

  /** Writes rows of one list. Rows with faults are sent again without the faulty values. */
  private async writeTo(
    path: string,
    kind: Kind,
    batch: readonly Moved[],
    rows: ReadonlyMap<Moved, Row>,
  ): Promise<void> {
    let pending = [...batch];
    for (let round = 1; pending.length > 0; round++) {
      const sent = pending.map((moved) => rows.get(moved)!);
      const { created, updated, faults } = await this.service.write(path, sent, this.options.isDryRun);
      const faulty = groupBy(faults, ({ row }) => row);
      const unchanged = pending.length - faulty.size - created - updated;
      this.report.count(kind.model, 'created', created);
      this.report.count(kind.model, 'updated', updated);
      this.report.count(kind.model, 'unchanged', unchanged);
      const outcome: Outcome = created > 0 ? 'created' : updated > 0 ? 'updated' : 'unchanged';
      const refused = new Set([...faulty.keys()].map((index) => String(sent[index]!.id)));
      const again: Moved[] = [];
      for (const [index, moved] of pending.entries()) {
        const found = faulty.get(index);
        if (!found) this.finish(kind, moved, sent[index]!, outcome);
        else {
          // A row that refers to a refused row of the same request is sent again together with it.
          const isLast = round >= ROUNDS - 1;
          const own = isLast ? found : found.filter(({ field }) => !refersTo(refused, sent[index]!, field));
          if (own.length === 0 || this.mend(kind, moved, sent[index]!, own, round)) again.push(moved);
        }
      }
      pending = again;
    }
  }

  /** Records the outcome of the objects that became values of a written record. */
  private finish({ resource }: Kind, moved: Moved, { customFields = {} }: Row, outcome: Outcome): void {
    const { object, uses, custom, planned, part } = moved;
    const values = custom.filter(({ key, awaits }) => awaits && planned?.has(key));
    if (values.length > 0)
      this.awaiting.push({ object: { ...object, fields: {} }, path: part?.path ?? resource, values });
    const kept = custom
      .filter(({ key, value }) => value !== null && (key in (customFields as Row) || planned?.has(key)))
      .flatMap(({ uses: own = [] }) => own);
    for (const use of [...uses, ...kept]) {
      const colon = use.indexOf(':');
      const [model, pk] = [use.slice(0, colon), use.slice(colon + 1)];
      if (this.used.get(model, pk) === 0) this.used.set(model, pk, OUTCOMES.indexOf(outcome));
    }
  }

  /** Takes the refused values out of a row. @returns whether it can be sent again */
  private mend(kind: Kind, moved: Moved, row: Row, faults: readonly RowFault[], round: number): boolean {
    const { model } = kind;
    const { pk } = moved.object;
    // A dry run writes nothing, so the referenced records do not exist yet.
    const isExpected = ({ field }: RowFault): boolean => this.options.isDryRun && refersTo(this.expected, row, field);
    const others = faults.filter((fault) => !isExpected(fault));
    if (others.length === 0 && faults.some(({ field }) => kind.required?.includes(field))) {
      this.report.count(model, 'created');
      this.finish(kind, moved, row, 'created');
      return false;
    }
    // A value that cannot be left out may break a rule only together with a reference.
    for (const fault of others) {
      const reference = kind.restsOn?.[fault.field];
      if (reference !== undefined && row[reference] != null) fault.field = reference;
      // All values together are too long.
      if (fault.field === 'customFields' && row.customFields)
        fault.field = longestOf({ customFields: row.customFields });
    }
    const fatal = others.find(
      ({ field }) => isMissing(row, field) || field === 'id' || kind.required?.includes(topOf(field)),
    );
    if (fatal || round === ROUNDS) {
      const { field, message } = fatal ?? others[0] ?? faults[0]!;
      this.moved.set(model, pk, 0);
      this.expected.delete(this.ids.of(model, pk));
      this.report.leftOut(model, pk, field === '' ? message : `${field} ${message}`);
      return false;
    }
    for (const { field } of faults) removeAt(row, field);
    for (const { field, message } of others) this.report.line(model, pk, field, `left out: ${message}`);
    return true;
  }

  private async customOf({ model, resource }: Kind, moved: Moved): Promise<Row> {
    const { object, custom, part } = moved;
    const values: Row = {};
    const of = part?.resource ?? resource;
    const withoutValue = custom.filter(({ value }) => value === null);
    for (const one of custom) {
      const { key, value } = one;
      if (value === null) continue;
      const { why, isPlanned = false } = this.options.withoutCustomFields
        ? { why: 'it has no field here' }
        : Object.hasOwn(values, key) || moved.planned?.has(key)
          ? { why: `${key} is the custom field of another value of the record` }
          : await this.customFields.ensure(one, of);
      if (why !== undefined) this.report.line(model, object.pk, key, `left out: ${why}`);
      else if (one.awaits || isPlanned) (moved.planned ??= new Set()).add(key);
      else values[key] = value;
    }
    // An object without a value also clears a value that was set here.
    if (!this.options.withoutCustomFields)
      for (const one of withoutValue)
        if (!Object.hasOwn(values, one.key) && !moved.planned?.has(one.key) && this.customFields.has(one, of))
          values[one.key] = null;
    return Object.keys(values).length > 0 ? { customFields: values } : {};
  }

  /** Removes parts that the source no longer has. */
  private async removeParts(): Promise<void> {
    if (!this.source.whole) return;
    for await (const { path, ids } of this.source.whole(this.spool, this.ids)) {
      // None, if the record is not here yet.
      const found = (await this.service.list<{ id: string }>(path)) ?? [];
      for (const { id } of found) if (!ids.has(id)) await this.service.remove(`${path}/${id}`);
    }
  }

  /** Says who has which asset. */
  private async handOut(): Promise<void> {
    if (!this.source.holdings) return;
    await inBatches(this.source.holdings(this.spool, this), async (batch) => {
      const holders = batch.map(({ assetId, personId }) => ({ assetId, personId }));
      const { faults, takenBack } = await this.service.handOver(holders, this.options.isDryRun);
      // Returning an asset changes its status.
      const back = takenBack > 0 ? batch.filter(({ personId }) => personId === null) : [];
      const statuses = back.map(({ assetId, status }) => ({ id: assetId, status }));
      if (back.length > 0 && !this.options.isDryRun) await this.service.write('assets', statuses, false);
      for (const { row, field, message } of faults) {
        const { object } = batch[row]!;
        if (refersTo(this.expected, holders[row]!, field)) continue;
        this.report.line(object.model, object.pk, 'assigned_to', `left out: ${field} ${message}`);
      }
      this.options.onProgress('holders of assets', this.report.total);
    });
  }

  /** Counts the units of items without movements. Other items have changed here since, or an earlier run has counted them. */
  private async count(): Promise<void> {
    if (!this.source.counted) return;
    for await (const { object, itemId, quantity, place } of this.source.counted(this.spool, this)) {
      const path = `stock-items/${itemId}/movements`;
      if (await this.service.hasAny(path)) continue;
      const body = { kind: 'count', quantity, ...place, reason: 'Moved in' };
      const { data, error } = await this.service.save('POST', path, body);
      if (!data) this.report.line(object.model, object.pk, 'qty', `left out: ${error}`);
      this.options.onProgress('counts of stock', this.report.total);
    }
  }

  /** References of custom fields that can be written only when all objects are records. */
  private awaited(): Link[] {
    return this.awaiting.flatMap(({ object, path, values }) => {
      const customFields: Row = {};
      for (const { key, value, awaits } of values) {
        const { model, pk } = awaits!;
        if (this.has(model, pk)) customFields[key] = value;
        else this.report.line(object.model, object.pk, key, `${model} ${pk} was not moved`);
      }
      const row = { id: this.ids.of(object.model, object.pk), customFields };
      return Object.keys(customFields).length > 0 ? [{ object, field: 'customFields', path, row }] : [];
    });
  }

  private async moveLinks(all: AsyncIterable<Link> | Iterable<Link>): Promise<void> {
    await inBatches(all, async (batch) => {
      for (const [path, links] of groupBy(batch, (link) => link.path)) {
        const { faults } = await this.service.write(
          path,
          links.map(({ row }) => row),
          this.options.isDryRun,
        );
        for (const { row, field, message } of faults) {
          const { object, field: named, row: sent } = links[row]!;
          if (refersTo(this.expected, sent, field)) continue;
          this.report.line(object.model, object.pk, named, `left out: ${field} ${message}`);
        }
        this.options.onProgress(path, this.report.total);
      }
    });
  }
}

/** Sends what comes, as many as a request takes. */
async function inBatches<T>(all: AsyncIterable<T> | Iterable<T>, send: (batch: T[]) => Promise<void>): Promise<void> {
  let batch: T[] = [];
  for await (const one of all) {
    batch.push(one);
    if (batch.length < BATCH) continue;
    await send(batch);
    batch = [];
  }
  if (batch.length > 0) await send(batch);
}

const topOf = (field: string): string => field.split(/[.[]/, 1)[0]!;

const valueAt = (row: Row, field: string): unknown => {
  const [top, key] = field.split('.');
  return top === 'customFields' && key !== undefined ? (row.customFields as Row | undefined)?.[key] : row[topOf(field)];
};

/** Whether a row has no value that can be removed. Of a custom field, null is such a value, because it clears the stored one. */
const isMissing = (row: Row, field: string): boolean => {
  const value = valueAt(row, field);
  return value === undefined || (value === null && !field.startsWith('customFields.'));
};

const refersTo = (ids: ReadonlySet<string>, row: Row, field: string): boolean =>
  field !== 'id' && ids.has(String(valueAt(row, field)));

function removeAt(row: Row, field: string): void {
  const [top, key] = field.split('.');
  if (top === 'customFields' && key !== undefined) delete (row.customFields as Row)[key];
  else delete row[topOf(field)];
}
