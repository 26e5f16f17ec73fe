import { meets, type Caller } from '../access/access.js';
import type { Executor, Transaction } from '../database/executor.js';
import { EMPTY, identifier, join, literal, raw, sql, write, type Sql } from '../database/sql.js';
import type { CustomDefinition } from '../fields/custom/definition.js';
import { recordOf } from '../fields/custom/defined-fields.js';
import { isPart } from '../fields/record-entity.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { DomainError, type ConflictingRecord } from '../http/errors.js';
import { declaredSqlOf } from '../lists/record-sql.js';
import { keptTotal } from '../lists/request-sql.js';
import { nameOf } from '../records/other-record.js';
import { readingOf } from '../records/record-access.js';
import { isPresent } from './tighter-rules.js';

/** Maximum number of records that a refusal names. */
const MOST_NAMED = 10;

/** Sizes that tests reduce. */
export const SIZES = {
  /** Approximate number of records whose values one statement compares. */
  portion: 100_000,
};

/** Why records contradict a definition. */
const REASONS = {
  present: 'have a value',
  missing: 'have no value, and one is required',
  faulty: 'have a value that would not be allowed',
  repeated: 'have a value that another record has too',
} as const;

type Reason = keyof typeof REASONS;

const sqlOfResource = (resource: string) => declaredSqlOf(recordOf(resource) as Class<StoredRecord>);

/** Name of the table of a resource. */
export const tableOfResource = (resource: string): string => sqlOfResource(resource).table;

/** Condition on rows `t` of a resource; undefined for all of them. */
type Condition = (resource: string) => Sql | undefined;

/**
 * The values of one custom field in the records, within the transaction that changes its definition. They are compared in rounds: the
 * first compares all records, and each further one those that were written since the previous round.
 */
export class StoredValues {
  private readonly stored: Sql;
  private readonly isPresent: Sql;
  /** SQL that identifies the value of a row. */
  private readonly digest: Sql;
  /** A number below which every other transaction had ended when the previous round began; undefined in the first round. */
  private since?: string;
  private ended?: string;

  constructor(
    private readonly tx: Transaction,
    private readonly caller: Caller,
    private readonly definition: CustomDefinition,
  ) {
    this.stored = literal(definition.storedAs);
    this.isPresent = isPresent(definition);
    this.digest = this.digestOf(sql`t.custom_fields->${this.stored}`);
  }

  /** Begins the next round. */
  async begin(): Promise<void> {
    this.since = this.ended;
    // `pg_snapshot_xmin` is at most the number of this transaction, which has begun before all rounds.
    const [row] = await this.tx.query<{ ended: string }>(
      sql`SELECT (coalesce(min(other::text::bigint), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
          + (SELECT difference FROM change_log_numbering))::text AS ended
        FROM pg_snapshot_xip(pg_current_snapshot()) other`,
    );
    this.ended = row!.ended;
  }

  private get isFirst(): boolean {
    return this.since === undefined;
  }

  /** @throws Conflict if records have a value */
  refusePresent(resources: readonly string[]): Promise<void> {
    return this.refuse('present', resources, () => this.isPresent);
  }

  /** @throws Conflict if records have no value */
  refuseMissing(resources: readonly string[]): Promise<void> {
    return this.refuse('missing', resources, () => sql`NOT coalesce(${this.isPresent}, false)`);
  }

  /** The same for a new field, of which no record has a value. @throws Conflict if there are records */
  refuseAll(resources: readonly string[]): Promise<void> {
    return this.refuse('missing', resources, () => undefined);
  }

  /** @throws Conflict if the condition is true for any records */
  refuseFaulty(resources: readonly string[], condition: Sql): Promise<void> {
    return this.refuse('faulty', resources, () => condition);
  }

  /**
   * Refuses a change that stored values contradict.
   * @throws DomainError conflict with the number of these records and the first ones that the caller may read
   */
  private async refuse(reason: Reason, resources: readonly string[], conditionOf: Condition): Promise<void> {
    let count = 0;
    const records: ConflictingRecord[] = [];
    for (const resource of resources) {
      const { table, record } = sqlOfResource(resource);
      const condition = conditionOf(resource);
      const against = sql`FROM ${identifier(table)} t${condition ? sql` WHERE ${condition}${this.ofRound(resource)}` : EMPTY}`;
      // The number of parts is not kept.
      const counted =
        condition || isPart(record)
          ? sql`SELECT count(*)::int AS count ${against}`
          : sql`SELECT total::int AS count FROM (${keptTotal(table)}) kept`;
      const [found] = await this.tx.query<{ count: number }>(counted.unprepared());
      count += found!.count;
      if (found!.count === 0 || records.length >= MOST_NAMED || !meets(this.caller, readingOf(record))) continue;
      records.push(
        ...(await this.tx.query<ConflictingRecord>(
          sql`SELECT ${literal(resource)} AS resource, t.id, (${raw(nameOf(record) ?? 'NULL')})::text AS name ${against}
            ORDER BY t.created_at, t.id LIMIT ${raw(MOST_NAMED - records.length)}`.unprepared(),
        )),
      );
    }
    if (count === 0) return;
    const { key } = this.definition;
    const number = `${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'}`;
    const against = count === 1 ? REASONS[reason].replace(/^have/, 'has') : REASONS[reason];
    throw new DomainError('conflict', `${number} ${against} (customFields.${key})`, { against: { count, records } });
  }

  /** Condition of the records of the round. */
  private ofRound(resource: string): Sql {
    return this.isFirst ? EMPTY : sql` AND t.id IN (SELECT record_id ${this.changes(resource)})`;
  }

  /** The entries of the log for records of a resource that were written since the last round. */
  private changes(resource: string): Sql {
    return sql`FROM change_log WHERE transaction_id >= ${this.since!}::bigint AND resource = ${literal(resource)}`;
  }

  private digestOf(value: Sql): Sql {
    return sql`custom_field_digest(${literal(this.definition.type)}, ${value})`;
  }

  /** Keeps the values apart from now on. @throws DomainError conflict if records have the same value */
  async makeUnique(): Promise<void> {
    // Values from an earlier time as a unique field are deleted first, for all resources at once. Then each resource stores its own.
    if (this.isFirst) await removeKept(this.tx, sql`field_id = ${this.definition.id}::uuid`);
    for (const resource of this.definition.resources) {
      if (this.isFirst) await this.keepAll(resource);
      else await this.keepChanged(resource);
    }
  }

  /** Stores the values of all records in portions, so that no statement exceeds its timeout. */
  private async keepAll(resource: string): Promise<void> {
    const { definition, digest } = this;
    const { id } = definition;
    const table = tableOfResource(resource);
    // A portion reads all records in that part of the table. If there are few records with a value, the index finds them.
    const [size] = await this.tx.query<{ portions: number }>(
      sql`SELECT greatest(1, ceil(count(*) / ${raw(SIZES.portion)}::numeric))::int AS portions FROM ${identifier(table)} t WHERE ${this.isPresent}`.unprepared(),
    );
    for (const portion of portionsOf(size!.portions)) {
      const [kept] = await this.tx.write<{ refused: number }>(
        write`WITH given AS MATERIALIZED (
            SELECT t.id, ${digest} AS digest FROM ${identifier(table)} t WHERE ${this.isPresent}${portion}
          ), kept AS (
            INSERT INTO custom_field_values (field_id, resource, digest, record_id)
            SELECT ${id}::uuid, ${literal(resource)}, digest, id FROM given ON CONFLICT DO NOTHING RETURNING record_id
          )
          SELECT ((SELECT count(*) FROM given) - (SELECT count(*) FROM kept))::int AS refused`.unprepared(),
      );
      if (kept!.refused === 0) continue;
      await this.refuse(
        'repeated',
        [resource],
        () => sql`${this.isPresent} AND ${digest} IN (SELECT ${digest} FROM ${identifier(table)} t
          WHERE ${this.isPresent} GROUP BY 1 HAVING count(*) > 1)`,
      );
    }
  }

  /** The same for the records that were written since. The log entries give their former values. */
  private async keepChanged(resource: string): Promise<void> {
    const { id } = this.definition;
    const changes = this.changes(resource);
    const mine = sql`field_id = ${id}::uuid AND resource = ${literal(resource)}`;
    const had = this.digestOf(sql`had.value`);
    await removeKept(
      this.tx,
      sql`${mine} AND record_id IN (SELECT record_id ${changes}) AND digest IN (
        SELECT ${had} FROM (
          SELECT unnest(ARRAY[old_values#>ARRAY['custom_fields', ${this.stored}], new_values#>ARRAY['custom_fields', ${this.stored}]]) AS value ${changes}
        ) had WHERE jsonb_typeof(had.value) <> 'null')`,
    );
    // The value of a record that was changed meanwhile is already stored.
    const given = sql`SELECT t.id, ${this.digest} AS digest
      FROM ${identifier(tableOfResource(resource))} t WHERE ${this.isPresent}${this.ofRound(resource)}`;
    await this.refuse(
      'repeated',
      [resource],
      () => sql`t.id IN (
        WITH given AS MATERIALIZED (${given}), pairs AS (
          SELECT g.id, v.record_id AS other FROM given g JOIN custom_field_values v USING (digest) WHERE v.${mine} AND v.record_id <> g.id
          UNION ALL SELECT g.id, o.id FROM given g JOIN given o ON o.digest = g.digest AND o.id <> g.id)
        SELECT id FROM pairs UNION SELECT other FROM pairs)`,
    );
    await this.tx.write(
      write`INSERT INTO custom_field_values (field_id, resource, digest, record_id)
        SELECT ${id}::uuid, ${literal(resource)}, digest, id FROM (${given}) given ON CONFLICT DO NOTHING RETURNING field_id`.select(
        sql`SELECT count(*) FROM written`,
      ),
    );
  }

  /** The resources of those whose records have a value. */
  async present(resources: readonly string[]): Promise<string[]> {
    const having = resources.map(
      (resource) => sql`SELECT ${literal(resource)} AS resource
        WHERE EXISTS (SELECT FROM ${identifier(tableOfResource(resource))} t WHERE ${this.isPresent}${this.ofRound(resource)})`,
    );
    const found = await this.tx.query<{ resource: string }>(join(having, ' UNION ALL ').unprepared());
    return found.map(({ resource }) => resource);
  }

  /** Records that the values are gone: nothing shows them from now on, and they fall with the next write of each record. */
  async drop(resources: readonly string[]): Promise<void> {
    await this.tx.write(
      write`UPDATE custom_field_names SET dropped_from = ${resources}::text[] WHERE stored_as = ${this.definition.storedAs} RETURNING stored_as`,
    );
  }
}

/** Conditions on ids that divide the records of a table. A single portion has no condition, so that an index of the values is used. */
const portionsOf = (count: number): Sql[] =>
  Array.from({ length: count }, (_, place) => {
    if (count === 1) return EMPTY;
    const [from, to] = [place, place + 1].map((n) =>
      Math.round((n / count) * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    );
    const ends = to === '100000000' ? EMPTY : sql` AND t.id < ${literal(`${to}-0000-0000-0000-000000000000`)}`;
    return sql` AND t.id >= ${literal(`${from}-0000-0000-0000-000000000000`)}${ends}`;
  });

/** Removes kept values in portions. */
async function removeKept(db: Executor, condition: Sql): Promise<void> {
  for (;;) {
    const [removed] = await db.write<{ count: number }>(
      write`DELETE FROM custom_field_values WHERE (field_id, resource, digest) IN (
        SELECT field_id, resource, digest FROM custom_field_values WHERE ${condition} LIMIT ${raw(SIZES.portion)}) RETURNING field_id`
        .select(sql`SELECT count(*)::int AS count FROM written`)
        .unprepared(),
    );
    if (removed!.count < SIZES.portion) return;
  }
}

/** Ids of the fields with stored values, found without reading all of these. */
const KEPT_OF = sql`WITH RECURSIVE kept (field_id) AS (
    (SELECT field_id FROM custom_field_values ORDER BY field_id LIMIT 1)
    UNION ALL SELECT (SELECT v.field_id FROM custom_field_values v WHERE v.field_id > kept.field_id ORDER BY v.field_id LIMIT 1)
    FROM kept WHERE kept.field_id IS NOT NULL
  ) SELECT field_id AS "fieldId" FROM kept
  WHERE field_id IS NOT NULL AND NOT EXISTS (SELECT FROM custom_fields d WHERE d.id = kept.field_id AND d.is_unique)`;

/** Deletes stored values of fields that are deleted or no longer unique. Nothing reads them any more. */
export async function pruneKeptValues(db: Executor): Promise<void> {
  for (const { fieldId } of await db.query<{ fieldId: string }>(KEPT_OF)) {
    await removeKept(db, sql`field_id = ${fieldId}::uuid`);
  }
}
