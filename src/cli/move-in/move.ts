import type { CustomFields } from './custom-fields.js';
import type { Known, Moved } from './mapping.js';
import { LeftOut, type Ids, type Kind, type Outcome, type Row } from './model.js';
import type { Report } from './report.js';
import type { RowFault, Service } from './service.js';
import type { Link, Source } from './source.js';
import type { Spool } from './spool.js';

/** Rows of one request. */
const BATCH = 500;
/** A row is sent without the values that were refused, until nothing of it is, or this often. */
const ROUNDS = 10;

export interface MoveOptions {
  isDryRun: boolean;
  /** Values without a home are left out. */
  withoutCustomFields: boolean;
  /** Is told how many objects are done. */
  onProgress: (kind: string, done: number) => void;
}

/** One run: it writes the objects of a source, kind by kind, and reports what became of each. */
export class Move implements Known {
  /** Ids of the objects that are records, or are about to be. */
  private readonly moved = new Set<string>();
  /** What became of the first record that has an object as a value. */
  private readonly used = new Map<string, Outcome>();
  private readonly resources: ReadonlyMap<string, string>;
  private done = 0;

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
    return this.moved.has(this.ids.of(model, pk));
  }

  resourceOf(model: string): string | undefined {
    return this.resources.get(model);
  }

  nameOf(model: string, pk: string): string | undefined {
    return this.source.nameOf(model, pk);
  }

  /** @throws CommandError if the service refuses more than single rows */
  async run(): Promise<void> {
    for (const kind of this.source.kinds) await this.moveKind(kind);
    if (!this.options.isDryRun) await this.moveLinks();
    for (const model of this.spool.counts.keys()) {
      if (this.resources.has(model)) continue;
      for await (const { pk } of this.spool.read(model)) {
        const outcome = this.source.values.has(model) ? this.used.get(`${model}:${pk}`) : undefined;
        if (outcome) this.report.count(model, outcome);
        else
          this.report.leftOut(
            model,
            pk,
            this.source.values.has(model) ? 'nothing refers to it' : this.source.reasonOf(model),
          );
      }
    }
  }

  private async moveKind(kind: Kind): Promise<void> {
    let batch: Moved[] = [];
    for await (const object of kind.after ? this.spool.inOrder(kind.model, kind.after) : this.spool.read(kind.model)) {
      try {
        const moved = this.source.map(kind, object, this);
        const missing = kind.required?.find((property) => property in moved.row && moved.row[property] == null);
        if (missing !== undefined) throw new LeftOut(`it has no ${missing}`);
        this.moved.add(this.ids.of(kind.model, object.pk));
        batch.push(moved);
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error;
        this.report.leftOut(kind.model, object.pk, error.message);
      }
      if (batch.length < BATCH) continue;
      await this.write(kind, batch);
      batch = [];
    }
    if (batch.length > 0) await this.write(kind, batch);
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
    let pending = [...batch];
    for (let round = 1; pending.length > 0; round++) {
      const sent = pending.map((moved) => rows.get(moved)!);
      const { created, updated, faults } = await this.service.write(kind.resource, sent, this.options.isDryRun);
      const faulty = groupBy(faults, ({ row }) => row);
      const unchanged = pending.length - faulty.size - created - updated;
      this.report.count(kind.model, 'created', created);
      this.report.count(kind.model, 'updated', updated);
      this.report.count(kind.model, 'unchanged', unchanged);
      const outcome: Outcome = created > 0 ? 'created' : updated > 0 ? 'updated' : 'unchanged';
      const again: Moved[] = [];
      for (const [index, moved] of pending.entries()) {
        const found = faulty.get(index);
        if (!found) this.finish(moved, outcome);
        else if (this.mend(kind, moved, sent[index]!, found, round)) again.push(moved);
      }
      pending = again;
    }
    this.options.onProgress(kind.model, (this.done += batch.length));
  }

  private finish({ uses }: Moved, outcome: Outcome): void {
    for (const use of uses) if (!this.used.has(use)) this.used.set(use, outcome);
  }

  /** Takes the refused values out of a row. @returns whether it can be sent again */
  private mend(kind: Kind, moved: Moved, row: Row, faults: readonly RowFault[], round: number): boolean {
    const { model } = kind;
    const { pk } = moved.object;
    // Nothing is written by a dry run, so the records that this one refers to are not there yet.
    const isExpected = ({ field }: RowFault): boolean =>
      this.options.isDryRun && this.moved.has(String(valueAt(row, field)));
    const others = faults.filter((fault) => !isExpected(fault));
    if (others.length === 0 && faults.some(({ field }) => kind.required?.includes(field))) {
      this.report.count(model, 'created');
      this.finish(moved, 'created');
      return false;
    }
    const fatal = others.find(
      ({ field }) => valueAt(row, field) == null || field === 'id' || kind.required?.includes(topOf(field)),
    );
    if (fatal || round === ROUNDS) {
      const { field, message } = fatal ?? others[0] ?? faults[0]!;
      this.moved.delete(this.ids.of(model, pk));
      this.report.leftOut(model, pk, field === '' ? message : `${field} ${message}`);
      return false;
    }
    for (const { field } of faults) removeAt(row, field);
    for (const { field, message } of others) this.report.line(model, pk, field, `left out: ${message}`);
    return true;
  }

  private async customOf({ model, resource }: Kind, { object, custom, uses }: Moved): Promise<Row> {
    const values: Row = {};
    for (const { key, type, target, value, uses: ofValue = [] } of custom) {
      const why = this.options.withoutCustomFields
        ? 'it has no field here'
        : await this.customFields.ensure({ key, type, target, ...this.source.definitionOf(key) }, resource);
      if (why === undefined) {
        values[key] = value;
        uses.push(...ofValue);
      } else this.report.line(model, object.pk, key, `left out: ${why}`);
    }
    return Object.keys(values).length > 0 ? { customFields: values } : {};
  }

  private async moveLinks(): Promise<void> {
    let batch: Link[] = [];
    const send = async (): Promise<void> => {
      for (const [path, links] of groupBy(batch, (link) => link.path)) {
        const { faults } = await this.service.write(
          path,
          links.map(({ row }) => row),
          false,
        );
        for (const { row, field, message } of faults) {
          const { object, field: named } = links[row]!;
          this.report.line(object.model, object.pk, named, `left out: ${field} ${message}`);
        }
      }
      batch = [];
    };
    for await (const link of this.source.links(this.spool, this)) {
      batch.push(link);
      if (batch.length === BATCH) await send();
    }
    await send();
  }
}

const topOf = (field: string): string => field.split(/[.[]/, 1)[0]!;

const valueAt = (row: Row, field: string): unknown => {
  const [top, key] = field.split('.');
  return top === 'customFields' && key !== undefined ? (row.customFields as Row | undefined)?.[key] : row[topOf(field)];
};

function removeAt(row: Row, field: string): void {
  const [top, key] = field.split('.');
  if (top === 'customFields' && key !== undefined) delete (row.customFields as Row)[key];
  else delete row[topOf(field)];
}

/** `Map.groupBy`, which Node 20 does not have. */
function groupBy<K, V>(values: readonly V[], keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}
