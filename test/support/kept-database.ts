import { sql } from '../../src/database/sql.js';
import type { ServiceDataSource } from '../../src/database/data-source.js';
import { createDataSource } from '../../src/schema/data-source.js';
import { EmbeddedDatabase } from '../../src/database/embedded/embedded-database.js';
import { CopiedFiles } from './copied-files.js';

/** What a test file may change beside rows: definitions, roles, settings, and the rows that migrations have written. */
const DEFINITIONS = [
  ...[
    'attribute',
    'attrdef',
    'authid',
    'auth_members',
    'class',
    'collation',
    'constraint',
    'database',
    'db_role_setting',
  ],
  ...['default_acl', 'depend', 'description', 'extension', 'index', 'namespace', 'policy', 'proc', 'publication'],
  ...['rewrite', 'statistic', 'statistic_ext', 'trigger', 'type'],
].map((name) => `(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM pg_${name})`);

const FINGERPRINT = `
  SELECT md5(concat_ws('/', ${DEFINITIONS.join(', ')},
    (SELECT string_agg(m::text, ',' ORDER BY id) FROM migrations m),
    (SELECT string_agg(f::text, ',' ORDER BY f::text) FROM applied_functions f),
    (SELECT string_agg(n::text, ',') FROM change_log_numbering n))) AS fingerprint`;

async function fingerprintOf(dataSource: ServiceDataSource): Promise<string> {
  const [found] = await dataSource.query<[{ fingerprint: string }]>(FINGERPRINT);
  return found.fingerprint;
}

interface Written {
  tables: string[];
  sequences: string[];
  /** Those that have grown. */
  indexes: string[];
}

const WRITTEN = `
  SELECT coalesce(array_agg(relname::text) FILTER (WHERE relkind = 'r'), '{}') AS tables,
    coalesce(array_agg(relname::text) FILTER (WHERE relkind = 'S'), '{}') AS sequences,
    coalesce(array_agg(relname::text) FILTER (WHERE relkind = 'i' AND pg_relation_size(oid) > 32768), '{}') AS indexes
  FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0
    AND relname NOT IN ('migrations', 'applied_functions', 'change_log_numbering', 'migrations_id_seq')`;

/** An embedded database that a test file has finished with, and another one of the same worker can have. */
export class KeptDatabase {
  private static idle?: KeptDatabase;

  private constructor(
    readonly embedded: EmbeddedDatabase,
    readonly dataSource: ServiceDataSource,
    private fingerprint: string,
  ) {}

  /** The idle one, or a copy of the migrated database. */
  static async take(): Promise<KeptDatabase> {
    const { idle } = KeptDatabase;
    KeptDatabase.idle = undefined;
    if (idle !== undefined) return idle;
    const embedded = await EmbeddedDatabase.open({ files: new CopiedFiles(process.env.TEST_DATABASE_TEMPLATE!) });
    const dataSource = createDataSource(embedded.poolOptions());
    await dataSource.initialize();
    return new KeptDatabase(embedded, dataSource, await fingerprintOf(dataSource));
  }

  /** Keeps it for the next file if only rows were written, without them. Otherwise, and if one is kept already, closes it. */
  async giveBack(): Promise<void> {
    // A test may have closed it, or broken it.
    const isKept = KeptDatabase.idle === undefined && (await this.empty().catch(() => false));
    if (isKept) KeptDatabase.idle = this;
    else await this.close();
  }

  /** @returns whether it is as a copy of the migrated database would be */
  private async empty(): Promise<boolean> {
    // A test may have left the only place of its queue taken.
    const { database } = this.dataSource;
    await database.inTurn('the next file', () => database.query(sql`SELECT 1`));
    if ((await fingerprintOf(this.dataSource)) !== this.fingerprint) return false;
    const [written] = await this.dataSource.query<[Written]>(WRITTEN);
    const { tables, sequences, indexes } = written;
    const statements = [
      // The triggers would log it, and follow references.
      'SET LOCAL session_replication_role = replica',
      ...tables.map((name) => `DELETE FROM ${name}`),
      ...sequences.map((name) => `SELECT setval('${name}', 1, false)`),
    ];
    await this.dataSource.query(`BEGIN; ${statements.join('; ')}; COMMIT`);
    // Sizes and statistics decide on plans, which some tests look at.
    if (tables.length > 0) await this.dataSource.query(`VACUUM ${tables.join(', ')}`);
    for (const name of tables) await this.dataSource.query(`SELECT pg_clear_relation_stats('public', '${name}')`);
    for (const name of indexes) await this.dataSource.query(`REINDEX INDEX ${name}`);
    this.fingerprint = await fingerprintOf(this.dataSource);
    // The session has the plans of prepared statements.
    (await this.dataSource.database.pool.connect()).release(true);
    return true;
  }

  private async close(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
    await this.embedded.close();
  }
}
