import { Inject } from '@nestjs/common';
import { meets, reading, type Caller } from '../access/access.js';
import type { InTransaction, RequestContext } from '../lists/request-context.js';
import type { Executor, Transaction } from '../database/executor.js';
import type { CustomDefinition } from '../fields/custom/definition.js';
import { customisableResources, recordOf } from '../fields/custom/defined-fields.js';
import { areaOf } from '../fields/record-entity.js';
import { Conflict, DomainError, Fault, NotFound, ValidationFailed } from '../http/errors.js';
import type { RecordReply } from '../http/replies.js';
import type { Owner } from '../records/owner.js';
import { RecordService } from '../records/record-service.js';
import { lockReferences } from '../records/references.js';
import { RecordStores } from '../records/record-store.js';
import type { Columns, JsonRow } from '../records/record-writer.js';
import { ResourceService } from '../records/resource.service.js';
import { CustomField } from './custom-field.entity.js';
import { DefinitionStore } from '../fields/custom/definition-store.js';
import { DEFAULTS, judge, settingsOf, type Judged, type Settings } from './definition-rules.js';
import { StoredValues, tableOfResource } from './stored-values.js';
import { sql, type Sql } from '../database/sql.js';
import { brokenBy } from './tighter-rules.js';
import { holdLock, LOCKS } from '../database/locks.js';
import { patiently } from '../database/patient-lock.js';

const MOST_FIELDS = 100;

const FIXED = ['key', 'type', 'target'] as const;

/** From now on new records are checked, and no other transaction writes the table (`custom_fields_held.sql`). */
const HOLD_NEW = sql`SET CONSTRAINTS custom_fields_held IMMEDIATE`;

const definitionForUpdate = (id: string): Sql => sql`
  SELECT id, key, label, description, resources, type, choices, target, required, is_unique AS "unique",
  default_value AS "default", minimum, maximum, pattern, searched, position, stored_as AS "storedAs" FROM custom_fields WHERE id = ${id} FOR UPDATE`;

/**
 * The definitions of custom fields.
 *
 * A change is first written in an uncommitted transaction and compared with the stored values. Then the tables are locked for
 * some milliseconds, and values that were written in the meantime are compared too (ADR 22).
 */
@RecordService(CustomField)
export class CustomFieldsService extends ResourceService<CustomField> {
  constructor(
    @Inject(RecordStores) stores: RecordStores,
    @Inject(DefinitionStore) private readonly definitions: DefinitionStore,
  ) {
    super(stores);
  }

  /** @throws DomainError forbidden, ValidationFailed, Conflict */
  override create(ctx: RequestContext, body: object): Promise<RecordReply> {
    const judged = this.judged(ctx.caller, { ...DEFAULTS, ...settingsOf(body) } as Settings);
    return this.written(ctx, async (tx) => {
      await this.admit(tx.db, judged.settings);
      const columns = this.columnsOf(judged, Object.keys(judged.settings));
      const [row] = await this.insert(tx, [{ columns, body: {} }], 'ids');
      const stored = await lock(tx.db, row!.id);
      // No record has a value of a new field, and none is written before the field exists.
      if (stored.required) {
        const values = new StoredValues(tx.db, tx.caller, stored);
        await this.compared(tx.db, values, stored.resources, () => values.refuseAll(stored.resources));
      }
      return this.recordOn(tx, row!.id);
    });
  }

  /** @throws NotFound, DomainError forbidden, ValidationFailed, Conflict */
  override update(ctx: RequestContext, id: string, body: object): Promise<RecordReply> {
    return this.conditionally(ctx, id, undefined, (scope) =>
      this.written(ctx, async (tx) => {
        const before = await lock(tx.db, id);
        const given = settingsOf(body);
        const judged = this.judged(ctx.caller, { ...before, ...given }, before);
        await this.admit(tx.db, judged.settings, before);
        const names = Object.keys(given).filter((name) => !(FIXED as readonly string[]).includes(name));
        const columns = this.columnsOf(judged, names);
        if (Object.keys(columns).length === 0) return this.reply(await this.read(tx, id, scope));
        const [row] = await this.change(tx, [{ id, columns, body: {} }], 'records', scope);
        await this.compare(tx, before, await lock(tx.db, id));
        return this.reply(row as JsonRow);
      }),
    );
  }

  /** The columns of some settings. */
  private columnsOf({ settings, patternSql }: Judged, names: readonly string[]): Columns {
    const columns: Columns = {};
    for (const name of names) {
      const { columnName, type } = this.declared.field(name);
      const value = settings[name as keyof Settings];
      columns[columnName] = type.isJson ? json(value) : value;
    }
    return names.includes('pattern') ? { ...columns, pattern_sql: patternSql } : columns;
  }

  /** Refuses a change that contradicts stored values. */
  private async compare(tx: InTransaction, before: CustomDefinition, after: CustomDefinition): Promise<void> {
    const values = new StoredValues(tx.db, tx.caller, after);
    const left = before.resources.filter((name) => !after.resources.includes(name));
    const both = after.resources.filter((name) => before.resources.includes(name));
    const added = after.resources.filter((name) => !before.resources.includes(name));
    if (left.length > 0) await refuseNamed(tx.db, after.key, left);
    const broken = brokenBy(before, after);
    const isRequired = after.required && (!before.required || added.length > 0);
    const isUnique = after.unique && !before.unique;
    if (left.length === 0 && broken === undefined && !isRequired && !isUnique) return;
    await this.compared(tx.db, values, [...new Set([...before.resources, ...after.resources])], async () => {
      if (left.length > 0) await values.refusePresent(left);
      if (broken !== undefined) await values.refuseFaulty(both, broken);
      if (isRequired) await values.refuseMissing(before.required ? added : after.resources);
      if (isUnique) await values.makeUnique();
    });
  }

  /**
   * Compares the values of records in rounds: first all, then those that were written meanwhile, and finally, with writers locked out,
   * those that were written since.
   */
  private async compared(
    tx: Transaction,
    values: StoredValues,
    resources: readonly string[],
    compare: () => Promise<void>,
  ): Promise<void> {
    for (let round = 1; round <= 3; round++) {
      await values.begin();
      if (round === 3) await this.holdTables(tx, resources);
      await compare();
    }
  }

  /** @throws NotFound, DomainError forbidden, Conflict */
  override async remove(
    ctx: RequestContext,
    id: string,
    _owner?: Owner,
    { dropValues = false }: { dropValues?: boolean } = {},
  ): Promise<void> {
    await this.conditionally(ctx, id, undefined, (scope) =>
      this.written(ctx, async (tx) => {
        const stored = await lock(tx.db, id);
        this.assertArea(ctx.caller, stored);
        await refuseNamed(tx.db, stored.key, stored.resources);
        const values = new StoredValues(tx.db, tx.caller, stored);
        const having = new Set<string>();
        await this.compared(tx.db, values, stored.resources, async () => {
          if (!dropValues) await values.refusePresent(stored.resources);
          else for (const resource of await values.present(stored.resources)) having.add(resource);
        });
        if (dropValues) await values.drop([...having]);
        await this.erase(tx, [id], scope);
      }),
    );
  }

  /** Runs a change of the definitions, one at a time. This replica uses the new definitions from the next request on. */
  private async written<T>(ctx: RequestContext, work: (tx: InTransaction) => Promise<T>): Promise<T> {
    try {
      return await ctx.transaction(async (tx) => {
        await holdLock(tx.db, LOCKS.customFields);
        const result = await work(tx);
        await patiently(tx.db, 1, () => tx.db.query(HOLD_NEW));
        return result;
      });
    } finally {
      this.definitions.forget();
    }
  }

  /** Takes the locks of the tables, which every write of their records shares, until the transaction ends. @throws Unavailable */
  private async holdTables(tx: Transaction, resources: readonly string[]): Promise<void> {
    const tables = resources.map(tableOfResource).toSorted();
    const key = LOCKS.customFieldsOf(sql`name`);
    await patiently(tx, 2 * tables.length, async () => {
      await tx.query(HOLD_NEW);
      await tx.query(sql`SELECT pg_advisory_xact_lock(${key}) FROM unnest(${tables}::text[]) name`);
    });
  }

  /** @throws ValidationFailed, DomainError forbidden */
  private judged(caller: Caller, settings: Settings, before?: CustomDefinition): Judged {
    const { key, resources, ...rest } = settings;
    const judged = judge({ key, resources: [...new Set(resources)], ...rest }, customisableResources());
    const kept = FIXED.filter((name) => before && before[name] !== settings[name]).map(
      (name) => new Fault(name, 'cannot be changed'),
    );
    const others = judged.faults.filter(({ field }) => !kept.some((fault) => fault.field === field));
    if (kept.length + others.length > 0) throw new ValidationFailed([...kept, ...others]);
    this.assertArea(caller, settings);
    if (before) this.assertArea(caller, before);
    return judged;
  }

  /** @throws DomainError forbidden if the caller may not read the records of a field, or those that it refers to */
  private assertArea(caller: Caller, { resources, target }: Pick<Settings, 'resources' | 'target'>): void {
    for (const name of [...resources, ...(target === null ? [] : [target])]) {
      const record = recordOf(name);
      const { area } = record ? reading(areaOf(record)!) : {};
      if (area === undefined || meets(caller, { role: 'viewer', area })) continue;
      throw new DomainError('forbidden', `A field of ${name} needs access to the area ${area}, which you do not have`);
    }
  }

  /** @throws Conflict, ValidationFailed if it contradicts other definitions or records */
  private async admit(tx: Transaction, settings: Settings, before?: CustomDefinition): Promise<void> {
    const { key, resources, type, target } = settings;
    const others = await tx.query<{ resource: string; fields: number; taken: boolean }>(
      sql`SELECT resource, count(*)::int AS fields, bool_or(key = ${key}) AS taken
       FROM custom_fields d, unnest(d.resources) resource WHERE resource = ANY(${resources}) AND id IS DISTINCT FROM ${before?.id ?? null}
       GROUP BY resource ORDER BY resource`,
    );
    const taken = others.find((other) => other.taken);
    if (taken) {
      throw new Conflict(
        new Fault('key', `is already taken by another custom field of ${taken.resource}`, 'conflict_unique'),
      );
    }
    const full = others.find(({ fields, resource }) => fields >= MOST_FIELDS && !before?.resources.includes(resource));
    if (full)
      throw new Conflict(
        new Fault('resources', `has ${full.resource}, which has ${MOST_FIELDS} custom fields already`),
      );
    if (type === 'reference' && settings.default !== null && settings.default !== before?.default) {
      const faults = await lockReferences(tx, recordOf(target!)!, [
        { path: 'default', id: settings.default as string },
      ]);
      if (faults.length > 0) throw new ValidationFailed(faults);
    }
  }
}

/** Locks a definition until the transaction ends. @throws NotFound */
async function lock(tx: Transaction, id: string): Promise<CustomDefinition> {
  const [found] = await tx.query<CustomDefinition>(definitionForUpdate(id));
  if (!found) throw new NotFound('Custom field');
  return found;
}

/** Refuses a change that would invalidate a webhook that names the field. */
async function refuseNamed(db: Executor, key: string, resources: readonly string[]): Promise<void> {
  const field = sql`${`customFields.${key}`}`;
  const [webhook] = await db.query<{ id: string; name: string }>(
    sql`SELECT id, name FROM webhooks WHERE (${field} = ANY(fields) OR conditions->'before' ? ${field} OR conditions->'after' ? ${field})
      AND (resources = '{}' OR resources && ${resources}::text[]) ORDER BY created_at, id LIMIT 1`,
  );
  if (webhook)
    throw new Conflict(new Fault('id', `is named by the webhook '${webhook.name}' (webhooks ${webhook.id})`));
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
