import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { QueryRunner } from 'typeorm';
import { EmbeddedDatabase } from '../database/embedded/embedded-database.js';
import { dataSourceOf, migrate } from '../database/data-source.js';
import { isLogged } from '../fields/record-entity.js';
import { entities, records } from '../schema/entities.js';
import { migrations } from '../schema/migrations/index.js';
import { customIndexName, listIndexes, logRecords, triggerArguments } from '../schema/record-table.js';
import { recordTableOf } from '../schema/record-table-of.js';
import { helpWith } from './help.js';

const USAGE = `Usage: npm run migration:generate -- <what-it-does> [--table <table>]
Writes a migration with what the entities and functions have and the migrations lack, for example: circuits. One of this name
that is not committed yet is replaced. With --table, refuses to write one that changes other tables too.`;

const FOLDER = join(process.cwd(), 'src', 'schema', 'migrations');
const FUNCTIONS = join(process.cwd(), 'src', 'schema', 'functions');
const DIGESTS = join(process.cwd(), 'test', 'migrations', 'frozen.json');

/** Statements each way. */
interface Difference {
  up: string[];
  down: string[];
}

/**
 * Does the work with a database that is thrown away. It is empty, or a copy of TEST_DATABASE_BASE: the directory of a database with
 * the first of the migrations, which saves the time that those take.
 */
async function withDatabase<T>(work: (embedded: EmbeddedDatabase) => Promise<T>): Promise<T> {
  const base = process.env.TEST_DATABASE_BASE;
  const dataDir = base ? await mkdtemp(join(tmpdir(), 'inventory-migration-')) : undefined;
  try {
    if (base && dataDir) await cp(base, join(dataDir, 'postgres'), { recursive: true });
    const embedded = await EmbeddedDatabase.open({ dataDir });
    return await work(embedded).finally(() => embedded.close());
  } finally {
    if (dataDir) await rm(dataDir, { recursive: true });
  }
}

/**
 * The statements that migrate a database from the current migrations, without the one that is replaced, to the current
 * entities and functions, and back. Needs no server.
 */
async function difference(replaced: string | undefined, embedded: EmbeddedDatabase): Promise<Difference> {
  const pool = embedded.poolOptions();
  const kept = migrations.filter(({ name }) => name !== replaced);
  const dataSource = await dataSourceOf(pool, { entities, migrations: kept, channels: [] }).initialize();
  // What fails is told below, in a sentence.
  dataSource.logger.logMigration = () => undefined;
  try {
    await migrate(dataSource, pool, false).catch((error: unknown) => {
      if (replaced === undefined) throw error;
      throw new Error(
        `A later migration needs this one, so it stays (${error instanceof Error ? error.message : String(error)}). Choose another name for the rest. The migration of an owner must be finished before its part is made`,
      );
    });
    const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
    const tables = {
      up: upQueries.map(({ query }) => query),
      down: downQueries.map(({ query }) => query).toReversed(),
    };
    const runner = dataSource.createQueryRunner();
    const parts = [
      tables,
      await differenceOfRecords(runner),
      // Triggers may be of new tables.
      await differenceOfFunctions(runner, tables.up),
    ];
    await runner.release();
    return { up: parts.flatMap(({ up }) => up), down: parts.toReversed().flatMap((part) => part.down) };
  } finally {
    await dataSource.destroy();
  }
}

/** Triggers and indexes of tables of records, which TypeORM does not manage. */
async function differenceOfRecords(runner: QueryRunner): Promise<Difference> {
  const triggers: { table: string; given: string }[] = await runner.query(
    `SELECT c.relname AS table, replace(encode(t.tgargs, 'escape'), '\\000', chr(10)) AS given
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE t.tgname = c.relname || '_insert' AND t.tgnargs > 0`,
  );
  const former = new Map(triggers.map(({ table, given }) => [table, given.split('\n').slice(0, -1)]));
  const indexes: { name: string }[] = await runner.query('SELECT indexname AS name FROM pg_indexes');
  const indexed = new Set(indexes.map(({ name }) => name));
  const found: Difference = { up: [], down: [] };
  for (const about of records.filter(isLogged).map(recordTableOf)) {
    const { table } = about;
    const given = triggerArguments(about);
    const before = former.get(table);
    if (String(before) !== String(given)) {
      found.up.push(logRecords(table, given));
      if (before) found.down.unshift(logRecords(table, before));
      else
        found.down.unshift(
          // oxlint-disable-next-line sql/no-joined -- the text of a migration
          ...['record_counts', 'value_counts'].map((counts) => `DELETE FROM ${counts} WHERE table_name = '${table}'`),
        );
    }
    for (const [name, statement] of listIndexes(about)) {
      // The search of everything does not read every part, and all have custom fields.
      if (indexed.has(name) || (before && !about.listed && name !== customIndexName(table))) continue;
      found.up.push(statement);
      if (before) found.down.unshift(`DROP INDEX IF EXISTS ${name}`);
    }
  }
  return found;
}

/** Definitions of the functions, aggregates and triggers of a database, by their names. */
async function definitions(runner: QueryRunner): Promise<Map<string, string>> {
  const rows: { name: string; text: string }[] = await runner.query(
    `SELECT oid::regprocedure::text AS name, CASE prokind WHEN 'a' THEN 'aggregate' ELSE pg_get_functiondef(oid) END AS text FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
     UNION ALL SELECT tgname || ' ON ' || tgrelid::regclass, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal`,
  );
  return new Map(rows.map(({ name, text }) => [name, text]));
}

/** Files of `src/schema/functions` whose text is not that of the database. */
async function differenceOfFunctions(runner: QueryRunner, tables: readonly string[]): Promise<Difference> {
  const found: Difference = { up: [], down: [] };
  await runner.startTransaction();
  try {
    await runner.query(`SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`);
    for (const statement of tables) await runner.query(statement);
    for (const file of (await readdir(FUNCTIONS)).toSorted()) {
      const text = await readFile(join(FUNCTIONS, file), 'utf8');
      const before = await definitions(runner);
      await runner.query(text);
      const changed = [...(await definitions(runner))].filter(([name, definition]) => before.get(name) !== definition);
      if (changed.length === 0) continue;
      found.up.push(text.trimEnd());
      for (const [name] of changed.toReversed()) {
        const former = before.get(name);
        const [trigger, table] = name.split(' ON ');
        found.down.push(former ?? (table ? `DROP TRIGGER ${trigger} ON ${table}` : `DROP FUNCTION ${name}`));
      }
    }
  } finally {
    await runner.rollbackTransaction();
  }
  // A function that acts as its owner takes the schema of the migration.
  if (found.up.length > 0)
    found.up.unshift(`SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`);
  return found;
}

const literal = (sql: string): string => `\`${sql.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)}\``;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Formats files as the linter requires. */
function format(files: readonly string[]): void {
  const prettier = join(process.cwd(), 'node_modules', 'prettier', 'bin', 'prettier.cjs');
  const { status, stderr } = spawnSync(process.execPath, [prettier, '--write', ...files], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** File and class of the migration with this slug that is not committed yet, so that no database depends on it. */
async function uncommitted(
  slug: string,
  digests: Readonly<Record<string, string>>,
): Promise<{ file: string; name: string } | undefined> {
  const files = await readdir(FOLDER);
  const file = files.find((candidate) => candidate.replace(/^\d{8}-/, '') === `${slug}.ts`);
  if (!file) return undefined;
  const { status, stdout } = spawnSync('git', ['ls-tree', '--name-only', 'HEAD', '--', file], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  if (status !== 0 || stdout !== '') {
    throw new Error(
      `src/schema/migrations/${file} may be published, and a published migration never changes: choose another name`,
    );
  }
  const text = await readFile(join(FOLDER, file), 'utf8');
  const name = /export class (\w+)/.exec(text)?.[1];
  if (name === undefined) throw new Error(`src/schema/migrations/${file} exports no class`);
  if (digests[file] !== digest(text)) {
    throw new Error(
      `src/schema/migrations/${file} was edited since it was generated, and would be lost: choose another name for the rest, or delete it first`,
    );
  }
  return { file, name };
}

const timestampOf = (name: string): number => Number(/\d{13}$/.exec(name)![0]);

/** Tables that statements change. */
const tablesOf = (statements: readonly string[]): string[] =>
  [
    ...new Set(statements.flatMap((sql) => /\b(?:TABLE|ON) "?(\w+)"?|log_records\('(\w+)'/.exec(sql)?.slice(1) ?? [])),
  ].filter((table) => table !== undefined);

/** Text of a migration. It imports nothing of ours, so that it stays as it is whatever changes around it. */
const textOf = (name: string, { up, down }: Difference): string => {
  const lines = (statements: readonly string[]): string => statements.map((sql) => `  ${literal(sql)},\n`).join('');
  return `import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
${lines(up)}];

const down = [
${lines(down)}];

export class ${name} implements MigrationInterface {
  readonly name = '${name}';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
`;
};

/**
 * `npm run migration:generate -- <what-it-does>`: writes a migration with the differences between the migrations and the
 * entities and functions, and lists it. A migration of this name that is not committed yet is replaced. With `--table`, refuses to
 * write one that changes other tables too.
 */
async function main(): Promise<void> {
  const {
    positionals: [slug, ...more],
    values: { table: only },
  } = parseArgs({ allowPositionals: true, options: { table: { type: 'string' } } });
  if (!slug || more.length > 0 || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(slug)) {
    throw new Error(
      'Describe the migration in lower case with hyphens, for example: npm run migration:generate -- circuits',
    );
  }
  const digests = JSON.parse(await readFile(DIGESTS, 'utf8')) as Record<string, string>;
  const replaced = await uncommitted(slug, digests);
  const found = await withDatabase((embedded) => difference(replaced?.name, embedded));
  if (found.up.length === 0) throw new Error('The migrations and the entities agree: there is nothing to write');
  const others = tablesOf(found.up).filter((changed) => changed !== only);
  if (only !== undefined && others.length > 0) {
    throw new Error(
      `The entities of other tables differ from the migrations too (${others.join(', ')}): write a migration for them first, with npm run migration:generate`,
    );
  }

  const now = new Date();
  // TypeORM runs migrations in the order of the timestamps in their names, and another branch may have brought a later one.
  const kept = migrations.filter((migration) => migration.name !== replaced?.name);
  const time = Math.max(now.getTime(), ...kept.map((migration) => timestampOf(migration.name) + 1));
  const name = `${slug.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}${time}`;
  const module = `${now.toISOString().slice(0, 10).replaceAll('-', '')}-${slug}`;
  const file = `${module}.ts`;
  if (replaced) await unlink(join(FOLDER, replaced.file));
  await writeFile(join(FOLDER, file), textOf(name, found), { flag: 'wx' });

  const listed = await readFile(join(FOLDER, 'index.ts'), 'utf8');
  const index = replaced
    ? listed.replaceAll(
        new RegExp(String.raw`^import \{ ${replaced.name} \}.*\n|,?\s{0,9}\b${replaced.name}\b(?=[,\s\]])`, 'gm'),
        '',
      )
    : listed;
  await writeFile(
    join(FOLDER, 'index.ts'),
    index
      .replace('\n\n/**', `\nimport { ${name} } from './${module}.js';\n\n/**`)
      .replace(/(?<![\s,]),?\s{0,9}\];\n$/, `, ${name}];\n`),
  );
  format([join(FOLDER, file), join(FOLDER, 'index.ts')]);
  if (replaced) delete digests[replaced.file];
  digests[file] = digest(await readFile(join(FOLDER, file), 'utf8'));
  await writeFile(DIGESTS, `${JSON.stringify(digests, null, 2)}\n`);
  process.stdout.write(
    `src/schema/migrations/${file}${replaced ? '\nA database that ran the earlier version of this migration must be created again.' : ''}\n`,
  );
}

helpWith(USAGE);
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
