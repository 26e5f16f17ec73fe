import type { Caller } from '../access/access.js';
import type { Executor, Transaction } from '../database/executor.js';
import { MAX_LINE } from '../fields/types/text.js';
import type { StoredRecord } from '../fields/record.js';
import type { RecordReply } from '../http/replies.js';
import type { Owner } from './owner.js';
import type { InsertedRow, NewRecord, Returning } from './record-writer.js';
import { ResourceService } from './resource.service.js';
import { identifier, sql, type Sql } from '../database/sql.js';
import { holdLock, LOCKS } from '../database/locks.js';

// Room for the number that distinguishes equal slugs.
const MAX_BASE = MAX_LINE - 12;

// Loaded when the first slug is made: it compiles large patterns, which the start does not need.
const load = (): typeof import('@sindresorhus/slugify') => require('@sindresorhus/slugify');

/** A name in lower-case ASCII with hyphens; the fallback if nothing of the name can be written so. */
export function slugOf(name: string, fallback: string): string {
  return (
    load()
      .default(name, { decamelize: false })
      .slice(0, MAX_BASE)
      .replace(/(?<!-)-+$/, '') || fallback
  );
}

const N = sql`n`;

/** The slug of a base with a number; 1 is the base itself. */
const numbered = (n: Sql): Sql => sql`CASE ${n} WHEN 1 THEN b.base ELSE b.base || '-' || ${n} END`;

/** Whether a table has it. As a subquery, which is a look into the index for each number. */
const taken = (table: Sql, n: Sql): Sql =>
  sql`(SELECT EXISTS (SELECT FROM ${table} WHERE slug COLLATE "C" = ${numbered(n)}))`;

/**
 * Free slugs of each base: the base itself, or with numbers from 2. The first free number is found by doubling and halving, so that
 * a million records of one name cost twenty looks into the index. Where there are gaps, it may not be the lowest.
 */
const freeSlugs = (table: Sql, bases: readonly string[], wanted: readonly number[]): Sql => sql`
SELECT b.base, free.slugs FROM unnest(${bases}::text[], ${wanted}::int[]) b (base, wanted) CROSS JOIN LATERAL (
  WITH RECURSIVE doubled (n) AS (
    SELECT 1::bigint UNION ALL SELECT n * 2 FROM doubled WHERE ${taken(table, N)} AND n < 1e9
  ), halved (low, high) AS (
    SELECT max(n) / 2, max(n) FROM doubled UNION ALL
    SELECT CASE WHEN is_taken THEN middle ELSE low END, CASE WHEN is_taken THEN high ELSE middle END
    FROM (
      SELECT low, high, middle, ${taken(table, sql`middle`)} AS is_taken
      FROM (SELECT low, high, (low + high) / 2 AS middle FROM halved WHERE high - low > 1) h
    ) looked
  )
  SELECT array_agg(${numbered(N)} ORDER BY n) AS slugs FROM (
    SELECT n FROM (SELECT generate_series(min(high), 1e10::bigint) AS n FROM halved) following
    WHERE NOT ${taken(table, N)} LIMIT b.wanted
  ) free_numbers
) free`;

const baseOfNumbered = (slug: string): string | undefined => /^(.*)-[0-9]+$/s.exec(slug)?.[1];

/** A resource whose slug is made from its name when a create body has none. */
export class SluggedService<T extends StoredRecord & { slug: string | null }> extends ResourceService<T> {
  /** Property and column that the slug is made from. */
  protected readonly slugSource: string = 'name';

  /**
   * Of concurrent creates with one name, each waits for the one before it, and gets another slug. Records that are created together
   * lock nothing, however many they are: an import would hold up others until it commits. Slugs need not be unique.
   */
  protected override createOne(db: Executor, caller: Caller, body: Partial<T>, owner?: Owner): Promise<RecordReply> {
    if (body.slug !== undefined) return super.createOne(db, caller, body, owner);
    return db.transaction(async (tx) => {
      await holdLock(tx, LOCKS.slug(this.resource.table, this.baseOf(body)));
      return super.createOne(tx, caller, body, owner);
    });
  }

  protected override insert(
    db: Executor,
    records: readonly NewRecord<T>[],
    returning: Returning,
  ): Promise<InsertedRow[]> {
    if (records.every(({ columns }) => columns.slug !== undefined)) return super.insert(db, records, returning);
    return db.transaction(async (tx) => super.insert(tx, await this.withSlugs(tx, records), returning));
  }

  /** The slug of a record without a number. */
  private baseOf(record: object): string {
    const name = (record as Record<string, unknown>)[this.slugSource] as string;
    return slugOf(name, this.resource.table.replaceAll('_', '-'));
  }

  /** The records, with free slugs for those that have none. */
  private async withSlugs(tx: Transaction, records: readonly NewRecord<T>[]): Promise<NewRecord<T>[]> {
    const bases = records.map(({ columns }) => (columns.slug === undefined ? this.baseOf(columns) : undefined));
    const given = records.flatMap(({ columns }) => (typeof columns.slug === 'string' ? [columns.slug] : []));
    const free = await this.freeSlugs(tx, bases, given);
    const used = new Set(given);
    return records.map((record, index) => {
      const base = bases[index];
      if (base === undefined) return record;
      const candidates = free.get(base)!;
      let slug = candidates.next().value!;
      while (used.has(slug)) slug = candidates.next().value!;
      used.add(slug);
      return { ...record, columns: { ...record.columns, slug } };
    });
  }

  /** Free slugs of each base in their order: enough, even if the other records of the request take some of them. */
  private async freeSlugs(
    tx: Transaction,
    bases: readonly (string | undefined)[],
    given: readonly string[],
  ): Promise<Map<string, Iterator<string, undefined>>> {
    const wanted = new Map<string, number>();
    for (const base of bases) if (base !== undefined) wanted.set(base, (wanted.get(base) ?? 0) + 1);
    for (const other of new Set([...wanted.keys(), ...given])) {
      for (const base of [other, baseOfNumbered(other)]) {
        if (base !== undefined && wanted.has(base)) wanted.set(base, wanted.get(base)! + 1);
      }
    }
    // The best plan depends on how large the table is by now.
    const rows = await tx.query<{ base: string; slugs: string[] }>(
      freeSlugs(identifier(this.resource.table), [...wanted.keys()], [...wanted.values()]).planned(),
    );
    return new Map(rows.map(({ base, slugs }) => [base, slugs.values()]));
  }
}
