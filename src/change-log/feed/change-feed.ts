import { Inject, Injectable } from '@nestjs/common';
import type { Area, Caller } from '../../access/access.js';
import { Database } from '../../database/database.js';
import { literal, raw, sql, where, type Sql } from '../../database/sql.js';
import type { Executor } from '../../database/executor.js';
import { Fault, Gone } from '../../http/errors.js';
import type { StoredField } from '../../fields/field.js';
import type { Filter } from '../../lists/list-request.js';
import { declaredSqlOf } from '../../lists/record-sql.js';
import { conditionOf } from '../../lists/request-sql.js';
import { ChangeLogEntry } from '../change-log-entry.entity.js';
import { mayReadEntries, readableEntries } from '../readable-entries.js';
import { NO_ENTRY, type FeedCursor } from './feed-cursor.js';

/** Position of an entry in the feed. The feed is in the order of transactions, and of ids within a transaction. */
export interface FeedPosition extends FeedCursor {
  /** Number of the transaction that wrote the entry. */
  transaction: bigint;
}

/** An entry of the change log with its place in the feed. */
export interface FeedEntry extends FeedPosition {
  resource: string;
  action: string;
  area: string | null;
  recordId: string;
  /** The entry as responses show it. */
  json: string;
}

/** The filter of a reader. */
export interface FeedFilter {
  /** Undefined for a reader who may read everything. */
  caller?: Caller;
  filters: readonly EntryFilter[];
}

/** A filter by a property of an entry. Any of the values has to match. */
interface EntryFilter extends Filter {
  field: StoredField & { property: 'resource' | 'action' };
  operator: 'eq';
}

export const entryFilter = (property: 'resource' | 'action', values: readonly string[]): EntryFilter => ({
  field: { ...declaredSqlOf(ChangeLogEntry).field(property), property },
  operator: 'eq',
  values,
});

export interface FeedPage {
  entries: FeedEntry[];
  /** Position up to which the log was read, including entries that were left out. */
  end: FeedPosition;
  /** Whether more entries can be read at once. */
  hasMore: boolean;
}

/** Maximum number of entries that one statement scans, whether shown or left out. */
const MOST_SCANNED = 5_000;
/** Maximum bytes of the entries of a page. A single longer entry may exceed it. */
const MOST_BYTES = 2 * 1024 * 1024;

export const FEED_START: FeedPosition = { transaction: -(2n ** 63n), id: NO_ENTRY, micros: '0' };

export const isAfter = (a: FeedPosition, b: FeedPosition): boolean =>
  a.transaction === b.transaction ? a.id > b.id : a.transaction > b.transaction;

interface Row extends Omit<FeedEntry, 'transaction' | 'json'> {
  transaction: string;
  /** Null in the last row, which has the end of the scan. */
  json: string | null;
}

interface ScanEnd extends Row {
  /** Number of scanned entries. */
  scanned: number;
  /** Number of matching entries. */
  chosen: number;
}

const microsOf = (time: string): Sql => sql`(extract(epoch FROM ${raw(time)}) * 1000000)::bigint::text`;

// Condition that all transactions before this one have ended. A transaction may commit before one with a lower number. Its entries then
// wait until that one has ended, so that no entry can appear behind a cursor.
const SETTLED = sql`t.transaction_id < (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + difference FROM change_log_numbering)`;

/**
 * SELECT of the entries after a position, and of the end of the scan.
 * @param conditions on `t`, an entry
 * @param most entries
 * @param mostBytes about
 */
function pageStatement(after: FeedPosition, conditions: readonly Sql[], most: number, mostBytes: number): Sql {
  const source = '(SELECT l.* FROM chosen JOIN change_log l USING (created_at, id))';
  return sql`WITH scanned AS MATERIALIZED (
      SELECT t.created_at, t.id, t.transaction_id, t.resource, t.action, t.area, t.record_id FROM change_log t
      WHERE (t.transaction_id, t.id) > (${String(after.transaction)}::bigint, ${after.id}::uuid) AND ${SETTLED}
      ORDER BY t.transaction_id, t.id LIMIT ${raw(MOST_SCANNED)}
    ), chosen AS MATERIALIZED (
      SELECT * FROM scanned t ${where(conditions)} ORDER BY t.transaction_id, t.id LIMIT ${most}
    ), shown AS MATERIALIZED (
      SELECT chosen.*, r.json, sum(octet_length(r.json)) OVER (ORDER BY chosen.transaction_id, chosen.id) - octet_length(r.json) AS bytes_before
      FROM (${declaredSqlOf(ChangeLogEntry).selectJson(source)}) r JOIN chosen ON chosen.id = r.id
    )
    SELECT transaction_id::text AS transaction, id, ${microsOf('created_at')} AS micros, resource, action, area, record_id AS "recordId", json,
      (SELECT count(*)::int FROM scanned) AS scanned, (SELECT count(*)::int FROM chosen) AS chosen
    FROM (
      SELECT transaction_id, id, created_at, resource, action, area, record_id, json FROM shown WHERE bytes_before < ${mostBytes}
      UNION ALL (
        SELECT transaction_id, id, created_at, resource, action, area, record_id, NULL FROM scanned ORDER BY transaction_id DESC, id DESC LIMIT 1
      )
    ) rows ORDER BY json IS NULL, transaction_id, id`;
}

const LATEST = sql`SELECT l.transaction_id::text AS transaction, coalesce(l.id, ${literal(NO_ENTRY)}) AS id, ${microsOf('coalesce(l.created_at, now())')} AS micros
  FROM (SELECT) one LEFT JOIN LATERAL (
    SELECT * FROM change_log t WHERE ${SETTLED} ORDER BY t.transaction_id DESC, t.id DESC LIMIT 1
  ) l ON true`;

const DELAY = sql`SELECT coalesce((
    SELECT greatest(extract(epoch FROM clock_timestamp() - t.created_at), 0)::float8 FROM change_log t WHERE NOT ${SETTLED}
    ORDER BY t.transaction_id, t.id LIMIT 1
  ), 0) AS seconds`;

const finding = ({ micros: at, id }: FeedCursor): Sql => sql`SELECT
    (SELECT transaction_id::text FROM change_log WHERE created_at = at AND id = ${id}) AS transaction,
    coalesce((SELECT until >= at FROM change_log_pruned), false) AS pruned
  FROM (SELECT timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond' AS at) cursor`;

/** SELECT of entries of the change log as rows. @param tail clauses after FROM of the log `t` */
const entriesOf = (tail: Sql): Sql =>
  sql`SELECT t.transaction_id::text AS transaction, t.id, ${microsOf('t.created_at')} AS micros, t.resource, t.action, t.area,
    t.record_id AS "recordId", r.json
   FROM (SELECT t.* FROM change_log t ${tail}) t
   JOIN LATERAL (${declaredSqlOf(ChangeLogEntry).selectJson('(SELECT t.*)')}) r ON true`;

const named = (cursors: readonly FeedCursor[]): Sql => {
  const [micros, ids] = [cursors.map((cursor) => cursor.micros), cursors.map(({ id }) => id)];
  return entriesOf(sql`JOIN unnest(${micros}::bigint[], ${ids}::uuid[]) wanted (micros, id)
    ON t.created_at = timestamptz 'epoch' + wanted.micros * interval '1 microsecond' AND t.id = wanted.id`);
};

const positionOf = ({ transaction, id, micros: time }: Row): FeedPosition => ({
  transaction: BigInt(transaction),
  id,
  micros: time,
});

const entryOf = (row: Row): FeedEntry => ({ ...row, ...positionOf(row), json: row.json! });

/** Condition that a reader wants an entry and may read it. */
export const wants = ({ caller, filters }: FeedFilter, entry: FeedEntry): boolean =>
  filters.every(({ field, values }) => values.includes(entry[field.property])) &&
  (caller === undefined || mayReadEntries(caller, entry.area as Area | null, entry.resource));

/** Why an entry is not in the log. */
type Missing = 'pruned' | 'unknown';

const GONE: Readonly<Record<Missing, string>> = {
  pruned: 'is older than the retained change log. Read everything again, and start with a new cursor',
  unknown:
    'is not from this change log, which may have been restored from a backup. Read everything again, and start with a new cursor',
};

/** Reads the change log in the order of its transactions. */
@Injectable()
export class ChangeFeed {
  constructor(@Inject(Database) private readonly db: Database) {}

  async read(
    after: FeedPosition,
    filter: FeedFilter,
    limit: number,
    mostBytes: number = MOST_BYTES,
    db: Pick<Executor, 'query'> = this.db,
  ): Promise<FeedPage> {
    const filters: Filter[] = [...filter.filters, ...(filter.caller ? readableEntries(filter.caller) : [])];
    const rows = await db.query<ScanEnd>(pageStatement(after, filters.map(conditionOf), limit + 1, mostBytes));
    const last = rows.pop();
    // Without a row nothing was scanned.
    if (!last) return { entries: [], end: after, hasMore: false };
    const entries = rows.slice(0, limit).map(entryOf);
    const isCut = entries.length < last.chosen;
    return {
      entries,
      end: isCut ? entries.at(-1)! : positionOf(last),
      hasMore: isCut || last.scanned === MOST_SCANNED,
    };
  }

  /** The position of the last entry that can be shown now. */
  async latest(db: Pick<Executor, 'query'> = this.db): Promise<FeedPosition> {
    const [row] = await db.query<{ transaction: string | null; id: string; micros: string }>(LATEST);
    const { transaction, id, micros } = row!;
    return transaction === null ? { ...FEED_START, micros } : { transaction: BigInt(transaction), id, micros };
  }

  /** Seconds for which the next entry of the feed has waited for a transaction that is still open; 0 if no entry waits. */
  async delay(): Promise<number> {
    const [row] = await this.db.query<{ seconds: number }>(DELAY);
    return row!.seconds;
  }

  /**
   * The position of the entry that a cursor names.
   * @param name of the parameter or header that has the cursor
   * @throws Gone if the entry is not in the log, because later entries may be missing too
   */
  async positionOf(cursor: FeedCursor, name: string): Promise<FeedPosition> {
    const found = await this.find(cursor);
    if (typeof found !== 'string') return found;
    throw new Gone(new Fault(name, GONE[found]));
  }

  /** The position of a cursor's entry, or why it is not in the log. */
  async find(cursor: FeedCursor, db: Pick<Executor, 'query'> = this.db): Promise<FeedPosition | Missing> {
    const { micros: at, id } = cursor;
    const [found] = await db.query<{ transaction: string | null; pruned: boolean }>(finding(cursor));
    const { transaction, pruned } = found!;
    if (transaction !== null) return { transaction: BigInt(transaction), id, micros: at };
    if (pruned) return 'pruned';
    return id === NO_ENTRY ? { ...FEED_START, micros: at } : 'unknown';
  }

  /**
   * Entries after a position that describe earlier changes of these records. Overlapping transactions may change a record in another
   * order than that of their numbers.
   */
  async earlierThan(
    db: Pick<Executor, 'query'>,
    entries: readonly FeedEntry[],
    end: FeedPosition,
  ): Promise<FeedEntry[]> {
    const last = new Map(entries.map(({ recordId, id }) => [recordId, id]));
    for (const { recordId, id } of entries) if (id > last.get(recordId)!) last.set(recordId, id);
    const earlier = entriesOf(sql`
      JOIN unnest(${[...last.keys()]}::uuid[], ${[...last.values()]}::uuid[]) last (record, id)
        ON t.record_id = last.record AND t.id < last.id
      WHERE (t.transaction_id, t.id) > (${String(end.transaction)}::bigint, ${end.id}::uuid)`);
    const rows = await db.query<Row>(sql`${earlier} ORDER BY t.id`);
    return rows.map(entryOf);
  }

  /**
   * The next entries of a span of time in order of time, after the last one that was read; none at the end of the span. @param
   * mostBytes approximate
   */
  async between(
    db: Pick<Executor, 'query'>,
    after: FeedCursor,
    since: string,
    until: string,
    limit: number,
    mostBytes: number,
  ): Promise<FeedEntry[]> {
    const entries = entriesOf(sql`WHERE t.created_at >= ${since} AND t.created_at < ${until}
        AND (t.created_at, t.id) > (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)
      ORDER BY t.created_at, t.id LIMIT ${limit}`);
    // Ids are in order of time, because they contain it.
    const rows = await db.query<Row>(sql`SELECT * FROM (
        SELECT e.*, sum(octet_length(e.json)) OVER (ORDER BY e.micros::bigint, e.id) - octet_length(e.json) AS bytes_before FROM (${entries}) e
      ) e WHERE bytes_before < ${mostBytes} ORDER BY micros::bigint, id`);
    return rows.map(entryOf);
  }

  /** The entries that cursors name, in any order. Missing entries are left out. */
  async named(db: Pick<Executor, 'query'>, cursors: readonly FeedCursor[]): Promise<FeedEntry[]> {
    const rows = await db.query<Row>(named(cursors));
    return rows.map(entryOf);
  }
}
