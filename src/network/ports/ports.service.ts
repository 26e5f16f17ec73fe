import type { Executor } from '../../database/executor.js';
import { identifier, sql, where } from '../../database/sql.js';
import type { StoredRecord } from '../../fields/record.js';
import { ValidationFailed } from '../../http/errors.js';
import { conditionsOf } from '../../records/owner.js';
import type { Change, ChangedRow, Returning, Scope } from '../../records/record-writer.js';
import { ResourceService } from '../../records/resource.service.js';
import { canHaveFaults, faultsOfChange, type PortKind } from './port-kinds.js';
import type { RequestContext } from '../../lists/request-context.js';

/** Fields on which references between ports depend, besides unique ones. */
const LINKED = ['positions', 'rearPosition', 'type', 'mode'];

/** The service of ports. */
export class PortsService<T extends StoredRecord> extends ResourceService<T> {
  override async dependsOnOthers(ctx: RequestContext, body: object): Promise<boolean> {
    return LINKED.some((property) => property in body) || super.dependsOnOthers(ctx, body);
  }

  protected override async change(
    ctx: RequestContext,
    changes: readonly Change<T>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    await this.refuseByKind(ctx.db, changes, scope);
    return super.change(ctx, changes, returning, scope);
  }

  /** Reports all faults of a change at once, if there can be several. @throws ValidationFailed */
  private async refuseByKind(db: Executor, changes: readonly Change<T>[], { owner }: Scope): Promise<void> {
    const judged = new Map(changes.filter(({ body }) => canHaveFaults(body)).map(({ id, body }) => [id, body]));
    if (judged.size === 0) return;
    const reached = where([sql`t.id = ANY(${[...judged.keys()]})`, ...conditionsOf(this.declared, owner)]);
    const ports = await db.query<{ id: string; kind: PortKind }>(
      sql`SELECT t.id, t.kind FROM ${identifier(this.declared.table)} t ${reached}`,
    );
    const faults = ports.flatMap(({ id, kind }) => faultsOfChange(kind, judged.get(id)!));
    if (faults.length > 0) throw new ValidationFailed(faults);
  }
}
