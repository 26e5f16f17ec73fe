import { writeOrFindRefused } from '../../database/refused.js';
import { CUSTOM } from '../../fields/custom/custom-field.js';
import type { Class } from '../../fields/field.js';
import { Fault } from '../../http/errors.js';
import { References } from '../../records/references.js';
import type { Owner } from '../../records/owner.js';
import type { ResourceService } from '../../records/resource.service.js';
import type { InTransaction } from '../../lists/request-context.js';
import type { Bodies } from '../bulk/bulk-body.js';
import type { ImportOutcome } from './import-outcome.js';
import { isGood, type Row } from './row.js';

export class RowWriter {
  private readonly locked = new Map<Class, Set<string>>();

  constructor(
    private readonly service: ResourceService,
    private readonly bodies: Bodies,
    private readonly tx: InTransaction,
    private readonly owner: Owner | undefined,
    private readonly outcome: ImportOutcome,
  ) {}

  /** Writes the rows without faults. Refused rows get a fault. */
  async write(rows: readonly Row[]): Promise<void> {
    await this.checkReferences(rows.filter(isGood));
    const good = rows.filter(isGood);
    await this.writeOrSplit(
      good.filter(({ existing }) => existing === undefined),
      (some) => this.create(some),
    );
    await this.writeOrSplit(
      good.filter(({ existing }) => existing !== undefined),
      (some) => this.update(some),
    );
  }

  private async checkReferences(rows: readonly Row[]): Promise<void> {
    const { create, update } = this.bodies;
    const references = new References(this.tx, this.locked);
    for (const [index, { body, existing, newId }] of rows.entries()) {
      references.add(existing === undefined ? create : update, body, `${index}.`, newId);
    }
    for (const fault of await references.lock(this.tx.db)) {
      const dot = fault.field.indexOf('.');
      rows[Number(fault.field.slice(0, dot))]!.faults.push(fault.with({ field: fault.field.slice(dot + 1) }));
    }
  }

  private writeOrSplit(rows: readonly Row[], write: (rows: readonly Row[]) => Promise<void>): Promise<void> {
    return writeOrFindRefused(this.tx.db, rows, write, (row, refusal, error) => {
      row.faults.push(...(refusal.extra.details ?? [refusal.extra.fault ?? new Fault('', refusal.message)]));
      row.refusal = error;
    });
  }

  private async create(rows: readonly Row[]): Promise<void> {
    const ids = await this.service.createMany(
      this.tx,
      rows.map(({ body }) => body),
      this.owner,
      rows.map(({ newId }) => newId),
    );
    this.outcome.created += rows.length;
    for (const [index, row] of rows.entries()) {
      row.written = { id: ids[index]!, as: 'created' };
      this.outcome.keepId(row, ids[index]!);
    }
  }

  private async update(rows: readonly Row[]): Promise<void> {
    // A row without values leaves its record as it is, even if a PATCH without values is refused.
    // By id, as other requests lock records.
    const giving = rows.filter(({ body }) => hasValues(body)).toSorted((a, b) => (a.existing! < b.existing! ? -1 : 1));
    const changes = giving.map(({ existing, body }) => ({ id: existing!, body }));
    const changed = await this.service.updateMany(this.tx, changes, this.owner);
    const count = changed.filter(Boolean).length;
    this.outcome.updated += count;
    this.outcome.unchanged += rows.length - count;
    const changedRows = new Set(giving.filter((_, index) => changed[index]));
    for (const row of rows) {
      row.written = { id: row.existing!, as: changedRows.has(row) ? 'updated' : 'unchanged' };
      this.outcome.keepId(row, row.existing!);
    }
  }
}

const hasValues = ({ [CUSTOM]: custom = {}, ...fields }: { [CUSTOM]?: object }): boolean =>
  Object.keys({ ...fields, ...custom }).length > 0;
