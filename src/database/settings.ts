import { Client, escapeLiteral, type ClientBase, type PoolConfig, type QueryConfig } from 'pg';
import { ConfigurationError } from '../config/configuration.js';
import type { Executor } from './executor.js';
import { raw, sql } from './sql.js';

type Sql = Pick<Executor, 'query'>;

/** Settings on which the service relies: how values are read, written and compared, and how long a connection lasts. */
const VALUES: Readonly<Record<string, string>> = {
  array_nulls: 'on',
  backslash_quote: 'safe_encoding',
  bytea_output: 'hex',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  gin_fuzzy_search_limit: '0',
  idle_session_timeout: '0',
  IntervalStyle: 'postgres',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  quote_all_identifiers: 'off',
  row_security: 'on',
  standard_conforming_strings: 'on',
  TimeZone: 'UTC',
  transaction_timeout: '0',
  transform_null_equals: 'off',
  xmlbinary: 'base64',
  xmloption: 'content',
  // Disables JIT. The service's statements take milliseconds, and compiling one takes hundreds. The planner overestimates the cost of
  // ranges, arrays and statements with many branches.
  jit: 'off',
};

/**
 * Planner settings, besides those whose name begins with `enable_`, that have PostgreSQL's defaults. Costs and memory sizes belong to
 * the operator.
 */
const SHIPPED: readonly string[] = [
  'constraint_exclusion',
  'cursor_tuple_fraction',
  'from_collapse_limit',
  'geqo',
  'geqo_threshold',
  'join_collapse_limit',
  'plan_cache_mode',
];

/** Every setting that this version of PostgreSQL has, and its value. */
const WANTED = `SELECT s.name, coalesce(v.value, s.boot_val) AS value, s.setting
  FROM pg_settings s LEFT JOIN (VALUES ${Object.entries(VALUES)
    .map((entry) => `(${entry.map(escapeLiteral).join(', ')})`)
    .join(', ')}) v (name, value) ON v.name = s.name
  WHERE v.name IS NOT NULL OR starts_with(s.name, 'enable_') OR s.name IN (${SHIPPED.map(escapeLiteral).join(', ')})`;

/** Gives a connection the settings. A database, a role or the server may have others. */
const APPLY = `SELECT current_setting('session_replication_role') AS role,
  (SELECT count(set_config(name, value, false)) FROM (${WANTED}) wanted WHERE setting <> value) AS applied`;

// In milliseconds. The connection is new, and a request waits for this.
const APPLY_TIMEOUT = 2_000;

/** The service cannot work with a database or one of its settings. A request gets a 503. */
class UnfitDatabase extends ConfigurationError {
  /** PostgreSQL's cannot_connect_now */
  readonly code = '57P03';
}

/** Triggers enforce rules and write the change log. This setting disables all of them. */
function refuseReplica(role: string): void {
  if (role === 'replica') {
    throw new UnfitDatabase(
      'session_replication_role is replica, so that the database would check no reference and keep no change log: reset it for the database and the role (ALTER DATABASE … RESET session_replication_role)',
    );
  }
}

/**
 * Gives a new connection the settings.
 * @throws UnfitDatabase if writes would have no entry in the change log
 */
export async function applySettings(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ role: string }>({ text: APPLY, query_timeout: APPLY_TIMEOUT } as QueryConfig);
  refuseReplica(rows[0]!.role);
}

/** A connection outside of a pool, with the same settings. */
export async function connect(pool: PoolConfig): Promise<Client> {
  const client = new Client(pool);
  await client.connect();
  try {
    await applySettings(client);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** The settings by name. If connections cannot be set up, the role must have these values as its defaults. */
export async function wantedSettings(db: Sql): Promise<Record<string, string>> {
  const rows = await db.query<{ name: string; value: string }>(raw(WANTED));
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

interface Facts {
  encoding: string;
  role: string;
  isReadOnly: boolean;
  path: string;
  /** The schema in which tables are created; null if there is none. */
  schema: string | null;
  /** The schemas that have the tables of the service. */
  homes: string[];
  /** Tables of the schema that have names of the service's tables. */
  alike: string[];
}

const FACTS = sql`SELECT current_setting('server_encoding') AS encoding, current_setting('session_replication_role') AS role,
    current_setting('default_transaction_read_only')::boolean AS "isReadOnly",
    current_setting('search_path') AS path, current_schema()::text AS schema,
    ARRAY(SELECT nspname::text FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relname = 'change_log_numbering' AND has_schema_privilege(n.oid, 'USAGE') ORDER BY 1) AS homes,
    ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p', 'v', 'm', 'f')
      AND relname IN ('migrations', 'change_log', 'profiles', 'sites', 'devices', 'people', 'assets', 'vendors') ORDER BY 1) AS alike`;

/**
 * Refuses problems that no setting of a connection can fix.
 * @throws UnfitDatabase with a sentence that names it
 */
export async function refuseUnfit(db: Sql): Promise<void> {
  const [{ encoding, role, isReadOnly, path, schema, homes, alike }] = (await db.query<Facts>(FACTS)) as [Facts];
  if (encoding !== 'UTF8') {
    throw new UnfitDatabase(
      `The encoding of the database is ${encoding}, and must be UTF8: create another one (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0)`,
    );
  }
  refuseReplica(role);
  if (isReadOnly) {
    throw new UnfitDatabase(
      'default_transaction_read_only is on, so that nothing could be written: reset it for the database and the role (ALTER DATABASE … RESET default_transaction_read_only)',
    );
  }
  if (schema === null || schema.startsWith('pg_')) {
    throw new UnfitDatabase(
      `search_path is ${path || 'empty'}, and must begin with a schema for the tables of the service`,
    );
  }
  if (homes.length > 0 && !homes.includes(schema)) {
    throw new UnfitDatabase(
      `search_path is ${path}, which leads to the schema ${schema}, and the tables of the service are in ${homes.join(', ')}: set search_path to that schema`,
    );
  }
  // The owner of tables with recorded migrations is identified in `take-over.ts`.
  if (homes.length === 0 && alike.length > 0 && !alike.includes('migrations')) {
    throw new UnfitDatabase(
      `search_path is ${path}, which leads to the schema ${schema}, and its tables ${alike.join(', ')} are not those of the service: set search_path to a schema of its own`,
    );
  }
}
