import { writeOrFindRefused } from '../../database/refused.js';
import type { Class } from '../../fields/field.js';
import type { StoredRecord } from '../../fields/record.js';
import { Fault } from '../../http/errors.js';
import type { InTransaction } from '../../lists/request-context.js';
import type { Owner } from '../../records/owner.js';
import type { ResourceService } from '../../records/resource.service.js';
import { refuseMoreThanMost, type PlannedWrite } from '../plans.js';
import type { Within } from './reconcile.js';
import { isGood, type Row } from './row.js';

/** The writes of an import, to be recorded as a plan. The import itself is rolled back. */
export class ImportPlan {
  readonly writes: PlannedWrite[] = [];
  /** Records that could not be deleted yet, because others refer to them until the rows are written. */
  private late: readonly string[] = [];
  /** JSON texts of records before the rows that update them are written. */
  private before: ReadonlyMap<string, string> = new Map();

  /** @param within the filter that selects the records to reconcile, if any */
  constructor(
    private readonly tx: InTransaction,
    private readonly record: Class<StoredRecord>,
    private readonly service: ResourceService,
    private readonly owner: Owner | undefined,
    private readonly within: Within | undefined,
  ) {}

  /** Deletes records before the rows are written, so that rows can take their values and places. */
  async remove(ids: readonly string[]): Promise<void> {
    this.late = await this.removeSome(ids);
  }

  /** Deletes the records that could not be deleted before. If a delete is still refused, the preview of the change set reports it. */
  async finish(): Promise<void> {
    await this.removeSome(this.late);
    this.plan(this.late);
  }

  private async removeSome(ids: readonly string[]): Promise<string[]> {
    const refused: string[] = [];
    await writeOrFindRefused(
      this.tx.db,
      ids,
      (some) => this.service.removeMany(this.tx, some, this.owner),
      (id) => void refused.push(id),
    );
    const kept = new Set(refused);
    this.plan(ids.filter((id) => !kept.has(id)));
    return refused;
  }

  private plan(ids: readonly string[]): void {
    const { record, owner } = this;
    this.writes.push(...ids.map((id) => ({ op: 'delete' as const, record, id, owner })));
    refuseMoreThanMost(this.writes.length);
  }

  /** Looks at rows before they are written. Those that update a record outside of the filter get a fault. */
  async begin(rows: readonly Row[]): Promise<void> {
    const ids = rows.flatMap((row) => (isGood(row) && row.existing !== undefined ? [row.existing] : []));
    const outside = await this.within?.outside(this.tx.db, ids);
    for (const row of rows) {
      if (row.existing !== undefined && outside?.has(row.existing)) {
        row.faults.push(new Fault('', 'has the key of a record that is not within the filter'));
      }
    }
    this.before = await this.service.textsOf(this.tx, ids);
  }

  /** Records the writes of rows. Rows whose records no longer match the filter get a fault. */
  async take(rows: readonly Row[]): Promise<void> {
    const { record, owner, before } = this;
    const good = rows.filter(isGood);
    const outside = await this.within?.outside(
      this.tx.db,
      good.map((row) => row.written!.id),
    );
    for (const row of good) {
      if (outside?.has(row.written!.id)) row.faults.push(new Fault('', 'is not within the filter'));
    }
    const inside = good.filter(isGood);
    const those = (as: 'created' | 'updated'): { id: string; body: object }[] =>
      inside.flatMap(({ written, body }) => (written!.as === as ? [{ id: written!.id, body }] : []));
    // In the order in which they were written.
    this.writes.push(
      ...those('created').map((made) => ({ op: 'create' as const, record, owner, ...made })),
      ...those('updated').map((changed) => ({
        op: 'update' as const,
        record,
        owner,
        ...changed,
        before: before.get(changed.id),
      })),
    );
    refuseMoreThanMost(this.writes.length);
  }
}
