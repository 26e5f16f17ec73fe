import { Inject } from '@nestjs/common';
import { mayReadSecrets, meets, type Caller } from '../access/access.js';
import { sql } from '../database/sql.js';
import { uuid } from '../fields/types/uuid.js';
import { readBody } from '../fields/bodies/bodies.js';
import { isObject } from '../http/json-body.js';
import { DomainError, Fault, joined, ValidationFailed } from '../http/errors.js';
import { ActionReply, type ListReply, RecordReply, versionsIn } from '../http/replies.js';
import type { ListRequest } from '../lists/list-request.js';
import type { InTransaction, RequestContext } from '../lists/request-context.js';
import type { Owner } from '../records/owner.js';
import { RecordService } from '../records/record-service.js';
import { RecordStores } from '../records/record-store.js';
import { ResourceService } from '../records/resource.service.js';
import type { BulkOperation } from '../resource/bulk/bulk-body.js';
import type { PlannedWrite } from '../resource/plans.js';
import { ChangeSet } from './change-set.entity.js';
import { ChangePlans } from './change-plans.js';
import { ChangeSetsService, closed } from './change-sets.service.js';
import { ChangeSetOperation } from './operation.entity.js';
import { operationsOn, type StoredOperation, type Values } from './operation-store.js';
import { PlannedResources } from './planned-resources.js';

/** An operation in a body. */
type Given = Partial<Pick<ChangeSetOperation, 'op' | 'resource' | 'recordId'>> & { data?: unknown };

/** The operations of change sets, as parts of these. */
@RecordService(ChangeSetOperation)
export class OperationsService extends ResourceService<ChangeSetOperation> {
  constructor(
    @Inject(RecordStores) stores: RecordStores,
    @Inject(PlannedResources) private readonly resources: PlannedResources,
    @Inject(ChangeSetsService) private readonly sets: ChangeSetsService,
    @Inject(ChangePlans) private readonly plans: ChangePlans,
  ) {
    super(stores);
  }

  override list(ctx: RequestContext, request: ListRequest, owner?: Owner): Promise<ListReply> {
    const { sort, filters, given } = request;
    // In the order of their execution.
    const inOrder = given.has('sort') ? sort : { ...sort, field: this.declared.field('position') };
    // A file contains only what the caller may read.
    const unreadable = this.unreadable(ctx.caller);
    const isFile = request.format !== undefined && request.format !== 'json';
    const readable =
      isFile && unreadable.length > 0
        ? [...filters, { field: this.declared.field('resource'), operator: 'n' as const, values: unreadable }]
        : filters;
    return super.list(ctx, { ...request, sort: inOrder, filters: readable }, owner);
  }

  /** Licence keys are shown to callers who may read the keys of licences. */
  protected override async shownTo(ctx: RequestContext, owner?: Owner): Promise<(json: string) => string> {
    if (!owner || !mayReadSecrets(ctx.caller)) return this.masking(ctx.caller);
    const rows = await ctx.db.query<Pick<StoredOperation, 'id' | 'sealed'>>(
      sql`SELECT id, sealed FROM change_set_operations WHERE change_set_id = ${owner.id} AND sealed IS NOT NULL`,
    );
    return this.masking(ctx.caller, new Map(rows.map(({ id, sealed }) => [id, sealed])));
  }

  /** @param sealed the encrypted secrets of operations, by id, if they are to be shown */
  private masking(caller: Caller, sealed?: ReadonlyMap<string, StoredOperation['sealed']>): (json: string) => string {
    return (json) => {
      const given = JSON.parse(json) as ChangeSetOperation | ChangeSetOperation[];
      for (const operation of [given].flat()) {
        this.open(operation, sealed?.get(operation.id));
        this.mask(operation, caller);
      }
      return JSON.stringify(given);
    };
  }

  override get(ctx: RequestContext, id: string, owner?: Owner): Promise<RecordReply> {
    return this.shown(ctx, id, owner, mayReadSecrets(ctx.caller));
  }

  /** @param isOpen whether secrets are shown */
  private async shown(
    ctx: RequestContext,
    id: string,
    owner: Owner | undefined,
    isOpen: boolean,
  ): Promise<RecordReply> {
    const { json, surroundings } = await super.get(ctx, id, owner);
    const operation = JSON.parse(json) as ChangeSetOperation;
    const [row] = await ctx.db.query<Pick<StoredOperation, 'sealed'>>(
      sql`SELECT sealed FROM change_set_operations WHERE id = ${id}`,
    );
    if (isOpen) this.open(operation, row?.sealed);
    this.mask(operation, ctx.caller);
    return new RecordReply(id, JSON.stringify(operation), [], surroundings);
  }

  private open(operation: Pick<ChangeSetOperation, 'data' | 'base'>, sealed?: StoredOperation['sealed']): void {
    if (!sealed) return;
    operation.data &&= { ...operation.data, ...this.opened(sealed.data ?? {}) };
    operation.base &&= { ...operation.base, ...this.opened(sealed.base ?? {}) };
  }

  private opened(sealed: Values): Values {
    return Object.fromEntries(
      Object.entries(sealed).map(([name, value]) => [
        name,
        typeof value === 'string' ? this.secrets.open(value) : null,
      ]),
    );
  }

  private mask(operation: Pick<ChangeSetOperation, 'resource' | 'data' | 'base'>, caller: Caller): void {
    if (!this.resources.mayRead(caller, operation.resource)) Object.assign(operation, { data: null, base: null });
  }

  private unreadable(caller: Caller): string[] {
    return [...this.resources.all.keys()].filter((name) => !this.resources.mayRead(caller, name));
  }

  /** Records an operation. @throws NotFound, ValidationFailed, Conflict, DomainError forbidden */
  async add(ctx: RequestContext, changeSet: string, body: object): Promise<RecordReply> {
    const faults: Fault[] = [];
    const write = this.writeOf(ctx, body as Given, '', faults);
    if (faults.length > 0) throw new ValidationFailed(faults);
    return ctx.transaction(async (tx) => {
      const owner: Owner = { record: ChangeSet, field: 'changeSetId', id: changeSet };
      // If a new record is deleted again, no operation is left. The response then shows the cancelled one.
      const [earlier] = write!.op === 'delete' ? (await operationsOn(tx.db, changeSet, [write!.id])).slice(-1) : [];
      const cancelled = earlier && (await this.shown(tx, earlier.id, owner, false));
      const [id] = await this.plans.addOn(tx, changeSet, [write!]);
      // The response may be stored, so it has no secrets.
      return id === undefined ? cancelled! : this.shown(tx, id, owner, false);
    });
  }

  /**
   * The write of an operation.
   * @param path of the operation in the request, with a trailing dot
   * @throws DomainError forbidden
   */
  writeOf({ caller, fields }: RequestContext, given: Given, path: string, faults: Fault[]): PlannedWrite | undefined {
    const before = faults.length;
    const refuse = (field: string, message: string): void => void faults.push(new Fault(path + field, message));
    const { op, recordId } = given;
    const resource = this.resources.get(given.resource!);
    if (!resource) {
      refuse('resource', this.resources.unknown(given.resource!));
      return undefined;
    }
    if (!meets(caller, resource.write)) {
      throw new DomainError(
        'forbidden',
        `You may not write ${resource.name}: see the role and the area that they need`,
      );
    }
    const data = typeof given.data === 'string' ? (JSON.parse(given.data) as unknown) : given.data;
    const { record, bodies, ownerField, ownerRecord } = resource;
    const at = path === '' ? {} : { path: path.slice(0, -1) };
    if (op !== 'create' && typeof recordId !== 'string') refuse('recordId', 'is required');
    if (op === 'create' && typeof recordId === 'string') refuse('recordId', 'must not be given to create a record');
    if (op === 'delete') {
      if (data !== undefined && data !== null) refuse('data', 'must not be given to delete a record');
      return faults.length > before ? undefined : { op, record, id: recordId!, ...at };
    }
    if (!isObject(data)) {
      refuse('data', 'is required');
      return undefined;
    }
    const own = { ...data };
    let owner: Owner | undefined;
    if (ownerField !== undefined && ownerRecord && op === 'create') {
      const value = own[ownerField];
      delete own[ownerField];
      const id = typeof value === 'string' ? uuid.parse(value) : undefined;
      if (id === undefined) refuse(`data.${ownerField}`, value === undefined ? 'is required' : 'must be a uuid');
      else owner = { record: ownerRecord, field: ownerField, id };
    }
    const body = readBody(bodies[op!], own, `${path}data.`, faults, fields);
    if (faults.length > before) return undefined;
    return op === 'create' ? { op, record, body, owner, ...at } : { op: 'update', record, id: recordId!, body, ...at };
  }

  /** Removes operations from an open change set. @throws NotFound, Conflict */
  async takeOut(ctx: RequestContext, changeSet: string, id: string, owner: Owner): Promise<void> {
    await this.conditionally(ctx, id, owner, (scope) =>
      ctx.transaction(async (tx) => {
        const { status } = await this.sets.lockSet(tx.db, changeSet);
        if (status !== 'open') throw closed(status);
        await this.erase(tx, [id], scope);
      }),
    );
  }

  /** @throws DomainError precondition_failed */
  private async refuseStale(ctx: InTransaction, out: readonly BulkOperation[]): Promise<void> {
    const conditional = out.flatMap((one) => (one.op === 'delete' && one.ifMatch !== undefined ? [one] : []));
    const ids = conditional.map(({ id }) => id);
    const versions = await this.versionsOf(ctx, ids);
    const stale = conditional.find(({ id, ifMatch }) => versionsIn(ifMatch)?.includes(versions.get(id)!) === false);
    if (!stale) return;
    const fault = new Fault(`operations[${stale.index}].ifMatch`, 'does not match: the record was changed meanwhile');
    throw new DomainError('precondition_failed', `${fault}`, { details: [fault] });
  }

  /** Adds and removes operations together. @throws NotFound, ValidationFailed, Conflict, DomainError forbidden */
  async bulk(
    ctx: RequestContext,
    changeSet: string,
    operations: readonly BulkOperation[],
    dryRun: boolean,
  ): Promise<ActionReply> {
    const faults: Fault[] = [];
    const writes: PlannedWrite[] = [];
    for (const operation of operations) {
      const path = `operations[${operation.index}].`;
      if (operation.op === 'update')
        faults.push(new Fault(`${path}op`, 'must be create or delete: operations never change'));
      if (operation.op !== 'create') continue;
      const write = this.writeOf(ctx, operation.body as Given, `${path}data.`, faults);
      if (write) writes.push(write);
    }
    if (faults.length > 0) throw new ValidationFailed(faults);
    return ctx.transaction(async (tx) => {
      await this.sets.lockOpen(tx.db, changeSet);
      const owner: Owner = { record: ChangeSet, field: 'changeSetId', id: changeSet };
      const out = operations.filter(({ op }) => op === 'delete') as Extract<BulkOperation, { op: 'delete' }>[];
      const found = await this.lock(
        tx,
        out.map(({ id }) => id),
        owner,
      );
      const missing = out.filter(({ id }) => !found.has(id));
      if (missing.length > 0) {
        const details = missing.map(
          ({ index }) => new Fault(`operations[${index}].id`, 'does not name an existing operation'),
        );
        throw new DomainError('not_found', joined(details.slice(0, 10).map(String)), { details });
      }
      await this.refuseStale(tx, out);
      await this.removeMany(tx, [...found], owner);
      const held = writes.length > 0 ? await this.plans.addOn(tx, changeSet, writes) : [];
      const texts = await this.textsOf(
        tx,
        held.filter((id) => id !== undefined),
      );
      // The response may be stored, so it has no secrets.
      const shown = this.masking(ctx.caller);
      let place = 0;
      const results = operations.map(({ op, ...operation }) => {
        const id = op === 'create' ? held[place++] : (operation as { id: string }).id;
        const text = id === undefined ? undefined : texts.get(id);
        const record = text === undefined ? null : (JSON.parse(shown(text)) as object);
        return { op, id, status: op === 'create' ? 'created' : 'deleted', record };
      });
      const summary = { results, created: writes.length, updated: 0, unchanged: 0, deleted: found.size };
      return new ActionReply([JSON.stringify(summary)], [], dryRun);
    }, dryRun);
  }
}
