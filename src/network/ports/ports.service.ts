import type { Caller } from '../../access/access.js';
import type { Executor } from '../../database/executor.js';
import { identifier, sql, where } from '../../database/sql.js';
import type { StoredRecord } from '../../fields/record.js';
import { ValidationFailed } from '../../http/errors.js';
import { conditionsOf } from '../../records/owner.js';
import type { Change, ChangedRow, Returning, Scope } from '../../records/record-writer.js';
import { ResourceService } from '../../records/resource.service.js';
import { canHaveFaults, faultsOfChange, type PortKind } from './port-kinds.js';

/** What decides whether ports may refer to each other, besides what is unique. */
const LINKED = ['positions', 'rearPosition', 'type', 'mode'];

/** The service of ports. */
export class PortsService<T extends StoredRecord> extends ResourceService<T> {
  override async dependsOnOthers(db: Executor, body: object): Promise<boolean> {
    return LINKED.some((property) => property in body) || super.dependsOnOthers(db, body);
  }

  protected override async change(
    db: Executor,
    caller: Caller,
    changes: readonly Change<T>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    await this.refuseByKind(db, changes, scope);
    return super.change(db, caller, changes, returning, scope);
  }

  /** Tells all faults of a change at once, where there can be several. @throws ValidationFailed */
  private async refuseByKind(db: Executor, changes: readonly Change<T>[], { owner }: Scope): Promise<void> {
    const judged = new Map(changes.filter(({ body }) => canHaveFaults(body)).map(({ id, body }) => [id, body]));
    if (judged.size === 0) return;
    const reached = where([sql`t.id = ANY(${[...judged.keys()]})`, ...conditionsOf(this.resource, owner)]);
    const ports = await db.query<{ id: string; kind: PortKind }>(
      sql`SELECT t.id, t.kind FROM ${identifier(this.resource.table)} t ${reached}`,
    );
    const faults = ports.flatMap(({ id, kind }) => faultsOfChange(kind, judged.get(id)!));
    if (faults.length > 0) throw new ValidationFailed(faults);
  }
}
