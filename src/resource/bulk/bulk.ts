import type { InTransaction, RequestContext } from '../../lists/request-context.js';
import { refusalOf } from '../../database/database-errors.js';
import { refusalAt, writeOrFindRefused } from '../../database/refused.js';
import { labelOf } from '../../fields/record-entity.js';
import { type Class, fieldsOf, isStored } from '../../fields/field.js';
import { DomainError, Fault, joined, ValidationFailed } from '../../http/errors.js';
import { ActionReply, versionsIn } from '../../http/replies.js';
import { References } from '../../records/references.js';
import type { Owner } from '../../records/owner.js';
import type { ResourceService } from '../../records/resource.service.js';
import { type Bodies, type BulkOperation, repeatedIds } from './bulk-body.js';

type Status = 'created' | 'updated' | 'unchanged' | 'deleted';

interface Result {
  op: BulkOperation['op'];
  id: string;
  status: Status;
}

type Creation = Extract<BulkOperation, { op: 'create' }>;
type Change = Extract<BulkOperation, { op: 'update' }>;
type Addressed = Exclude<BulkOperation, Creation>;

/** The operations of a resource that are run together. */
export class Bulk {
  private readonly results: Result[] = [];

  private constructor(
    private readonly service: ResourceService,
    private readonly record: Class,
    private readonly bodies: Bodies,
    private readonly tx: InTransaction,
    private readonly owner: Owner | undefined,
  ) {}

  /**
   * Runs operations in their order and in one transaction: all of them, or none.
   * @throws ValidationFailed, NotFound, DomainError precondition_failed or Conflict, each with positions in `details`
   */
  static async run(
    resource: { service: ResourceService; record: Class; bodies: Bodies },
    ctx: RequestContext,
    operations: readonly BulkOperation[],
    owner: Owner | undefined,
    dryRun: boolean,
  ): Promise<ActionReply> {
    const { service, record, bodies } = resource;
    return ctx.transaction(async (tx) => {
      const bulk = new Bulk(service, record, bodies, tx, owner);
      await bulk.check(operations);
      for (const group of await bulk.groupsOf(operations)) await bulk.write(group);
      return bulk.reply(dryRun);
    }, dryRun);
  }

  /** References and repeated ids, then existence, then conditions: each kind for all operations before the next. */
  private async check(operations: readonly BulkOperation[]): Promise<void> {
    const { service, tx } = this;
    const references = new References(tx);
    for (const operation of operations) {
      if (operation.op === 'delete') continue;
      references.add(this.bodies[operation.op], operation.body, `operations[${operation.index}].data.`);
    }
    const faults = [...(await references.lock(tx.db)), ...repeatedIds(operations)];
    if (faults.length > 0) throw new ValidationFailed(faults);
    const addressed = operations.filter((operation): operation is Addressed => operation.op !== 'create');
    await this.lock(addressed);
    const conditional = addressed.filter(({ ifMatch }) => ifMatch !== undefined);
    const versions = await service.versionsOf(
      tx,
      conditional.map(({ id }) => id),
    );
    const stale = conditional.find(({ id, ifMatch }) => versionsIn(ifMatch)?.includes(versions.get(id)!) === false);
    if (stale) {
      const fault = new Fault(`operations[${stale.index}].ifMatch`, 'does not match: the record was changed meanwhile');
      throw new DomainError('precondition_failed', `${fault}`, { details: [fault] });
    }
  }

  /** Locks the records of operations. @throws DomainError not_found */
  private async lock(addressed: readonly Addressed[]): Promise<void> {
    const found = await this.service.lock(
      this.tx,
      addressed.map(({ id }) => id),
      this.owner,
    );
    const missing = addressed.filter(({ id }) => !found.has(id));
    if (missing.length === 0) return;
    const label = labelOf(this.record);
    const details = missing.map(
      ({ index }) => new Fault(`operations[${index}].id`, `does not name an existing ${label}`),
    );
    throw new DomainError('not_found', joined(details.slice(0, 10).map(String)), { details });
  }

  /**
   * Groups of neighbouring operations of one kind. One statement writes a group. A change that other records can refuse is a group of
   * its own, because a statement does not promise in which order it changes rows.
   */
  private async groupsOf(operations: readonly BulkOperation[]): Promise<BulkOperation[][]> {
    const groups: BulkOperation[][] = [];
    let open = false;
    for (const operation of operations) {
      const last = groups.at(-1);
      const alone = operation.op === 'update' && (await this.service.dependsOnOthers(this.tx, operation.body));
      if (last && open && !alone && last[0]!.op === operation.op) last.push(operation);
      else groups.push([operation]);
      open = !alone;
    }
    return groups;
  }

  private async write(group: readonly BulkOperation[]): Promise<void> {
    // The record may have been deleted together with that of an earlier operation, as a front port is with its rear port.
    if (this.results.some(({ status }) => status === 'deleted') && goesWithOthers(this.record)) {
      await this.lock(group.filter((operation): operation is Addressed => operation.op !== 'create'));
    }
    const write = async (some: readonly BulkOperation[]): Promise<void> => {
      this.results.push(...(await this.writeTogether(some)));
    };
    if (group.length > 1) {
      await writeOrFindRefused(this.tx.db, group, write, (operation, _refusal, error) => {
        throw placed(error, operation);
      });
      return;
    }
    try {
      await write(group);
    } catch (error) {
      throw placed(error, group[0]!);
    }
  }

  private async writeTogether(group: readonly BulkOperation[]): Promise<Result[]> {
    const { service, tx, owner } = this;
    const { op } = group[0]!;
    switch (op) {
      case 'create': {
        const bodies = (group as readonly Creation[]).map(({ body }) => body);
        const ids = await service.createMany(tx, bodies, owner);
        return ids.map((id) => ({ op, id, status: 'created' }));
      }
      case 'update': {
        const changes = group as readonly Change[];
        const changed = await service.updateMany(tx, changes, owner);
        return changes.map(({ id }, index) => ({ op, id, status: changed[index] ? 'updated' : 'unchanged' }));
      }
      case 'delete': {
        const ids = (group as readonly Addressed[]).map(({ id }) => id);
        await service.removeMany(tx, ids, owner);
        return ids.map((id) => ({ op, id, status: 'deleted' }));
      }
    }
  }

  /** The results, with the records as they are after all operations. */
  private async reply(dryRun: boolean): Promise<ActionReply> {
    const { results, service } = this;
    const kept = results.filter(({ status }) => status !== 'deleted').map(({ id }) => id);
    const texts = await service.textsOf(this.tx, kept);
    const pieces: string[] = ['{"results":['];
    const add = (text: string): void => void (pieces[pieces.length - 1] += text);
    for (const [index, result] of results.entries()) {
      add(`${index > 0 ? ',' : ''}${JSON.stringify(result).slice(0, -1)},"record":`);
      const text = texts.get(result.id);
      if (text === undefined) add('null');
      else pieces.push(text, '');
      add('}');
    }
    const count = (status: Status): number => results.filter((result) => result.status === status).length;
    const [created, updated, unchanged, deleted] = (['created', 'updated', 'unchanged', 'deleted'] as const).map(count);
    add(`],${JSON.stringify({ created, updated, unchanged, deleted }).slice(1)}`);
    return new ActionReply(pieces, service.sealed, dryRun);
  }
}

/** Whether deleting records of a kind deletes others of it. */
const goesWithOthers = (record: Class): boolean =>
  fieldsOf(record)
    .filter(isStored)
    .some(({ onDelete, references }) => onDelete === 'CASCADE' && references?.() === record);

/** A refusal of one operation, with its position. Other errors stay as they are. */
function placed(error: unknown, { op, index }: BulkOperation): unknown {
  const refusal = refusalOf(error);
  return refusal
    ? refusalAt(op === 'delete' ? `operations[${index}]` : `operations[${index}].data`, refusal, error)
    : error;
}
