import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedDatabase } from '../database/embedded/embedded-database.js';
import { dataSourceOf, migrate } from '../database/data-source.js';
import { tableOf } from '../projection/resource.js';
import { entities, records } from '../schema/entities.js';
import { migrations } from '../schema/migrations/index.js';
import { countValues, indexOfValues, uncountValues } from '../schema/migrations/counted-column.js';
import { trackRecords, untrackRecords } from '../schema/migrations/record-table.js';
import { countedOf, recordTableOf } from '../schema/record-table-of.js';

const FOLDER = join(process.cwd(), 'src', 'schema', 'migrations');
const DIGESTS = join(process.cwd(), 'test', 'migrations', 'frozen.json');

interface Difference {
  up: string[];
  down: string[];
  /** Counted columns without triggers. TypeORM does not manage triggers. */
  counted: { table: string; column: string }[];
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
 * entities, and back. Needs no server.
 */
async function difference(replaced: string | undefined, embedded: EmbeddedDatabase): Promise<Difference> {
  const pool = embedded.poolOptions();
  const kept = migrations.filter(({ name }) => name !== replaced);
  const dataSource = await dataSourceOf(pool, { entities, migrations: kept, channels: [] }).initialize();
  try {
    await migrate(dataSource, pool, false);
    const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
    const triggers = await dataSource.query<{ name: string }[]>('SELECT tgname AS name FROM pg_trigger');
    const names = new Set(triggers.map(({ name }) => name));
    return {
      up: upQueries.map(({ query }) => query),
      down: downQueries.map(({ query }) => query).toReversed(),
      counted: records
        .flatMap((record) => countedOf(record).map((column) => ({ table: tableOf(record), column })))
        .filter(({ table, column }) => !names.has(`${table}_count_${column}_insert`)),
    };
  } finally {
    await dataSource.destroy();
  }
}

const literal = (sql: string): string => `\`${sql.replaceAll(/[\\`$]/g, String.raw`\$&`)}\``;

const digest = (statements: readonly string[]): string =>
  createHash('sha256')
    .update(statements.map((statement) => `${statement}\0`).join(''))
    .digest('hex');

/** Formats files as the linter requires. */
function format(files: readonly string[]): void {
  const prettier = join(process.cwd(), 'node_modules', 'prettier', 'bin', 'prettier.cjs');
  const { status, stderr } = spawnSync(process.execPath, [prettier, '--write', ...files], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** File and class of the migration with this slug that is not committed yet, so that no database depends on it. */
async function uncommitted(slug: string): Promise<{ file: string; name: string } | undefined> {
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
  const name = /export class (\w+)/.exec(await readFile(join(FOLDER, file), 'utf8'))?.[1];
  if (name === undefined) throw new Error(`src/schema/migrations/${file} exports no class`);
  return { file, name };
}

const timestampOf = (name: string): number => Number(/\d{13}$/.exec(name)![0]);

/** Tables that statements change. */
const tablesOf = (statements: readonly string[]): string[] => [
  ...new Set(statements.flatMap((sql) => /\b(?:TABLE|ON) "(\w+)"/.exec(sql)?.[1] ?? [])),
];

/**
 * `npm run migration:generate -- <what-it-does>`: writes a migration with the differences between the migrations and the
 * entities, and lists it. A migration of this name that is not committed yet is replaced. With `--table`, refuses to write
 * one that changes other tables too.
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
  const replaced = await uncommitted(slug);
  const { up, down, counted } = await withDatabase((embedded) => difference(replaced?.name, embedded));
  if (up.length === 0 && counted.length === 0)
    throw new Error('The migrations and the entities agree: there is nothing to write');
  const changedTables = new Set([...tablesOf(up), ...counted.map(({ table }) => table)]);
  const others = [...changedTables].filter((changed) => changed !== only);
  if (only !== undefined && others.length > 0) {
    throw new Error(
      `The entities of other tables differ from the migrations too (${others.join(', ')}): write a migration for them first, with npm run migration:generate`,
    );
  }
  const created = up.flatMap((sql) => /^CREATE TABLE "(\w+)"/.exec(sql)?.[1] ?? []);
  const tracked = records
    .filter((record) => created.includes(tableOf(record)))
    .map((record) => ({ table: tableOf(record), about: recordTableOf(record) }));

  const now = new Date();
  // TypeORM runs migrations in the order of the timestamps in their names, and another branch may have brought a later one.
  const kept = migrations.filter((migration) => migration.name !== replaced?.name);
  const time = Math.max(now.getTime(), ...kept.map((migration) => timestampOf(migration.name) + 1));
  const name = `${slug.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}${time}`;
  const file = `${now.toISOString().slice(0, 10).replaceAll('-', '')}-${slug}`;
  const lines = (statements: readonly string[]): string[] => statements.map((sql) => `  ${literal(sql)},`);
  const imports = [
    ...(counted.length > 0 ? [`import { countValues, indexOfValues, uncountValues } from './counted-column.js';`] : []),
    ...(tracked.length > 0 ? [`import { trackRecords, untrackRecords } from './record-table.js';`] : []),
  ];
  const text = [
    ...imports,
    `import { SqlMigration } from './sql-migration.js';`,
    '',
    'const up = [',
    ...lines(up),
    ...tracked.map(({ table, about }) => `  ...trackRecords('${table}', ${JSON.stringify(about)}),`),
    ...counted.map(
      ({ table, column }) => `  ...countValues('${table}', '${column}'),\n  indexOfValues('${table}', '${column}'),`,
    ),
    '];',
    '',
    'const down = [',
    ...counted.map(({ table, column }) => `  ...uncountValues('${table}', '${column}'),`),
    ...tracked.map(({ table }) => `  ...untrackRecords('${table}'),`),
    ...lines(down),
    '];',
    '',
    `export class ${name} extends SqlMigration {`,
    `  readonly name = '${name}';`,
    '  protected readonly statements = { up, down };',
    '}',
    '',
  ].join('\n');
  if (replaced) await unlink(join(FOLDER, replaced.file));
  await writeFile(join(FOLDER, `${file}.ts`), text, { flag: 'wx' });

  const listed = await readFile(join(FOLDER, 'index.ts'), 'utf8');
  const index = replaced
    ? listed
        .split('\n')
        .filter((line) => !new RegExp(String.raw`\b${replaced.name}\b`).test(line))
        .join('\n')
    : listed;
  await writeFile(
    join(FOLDER, 'index.ts'),
    index
      .replace('\n\n/**', `\nimport { ${name} } from './${file}.js';\n\n/**`)
      .replace(/\n\];\n$/, `\n  ${name},\n];\n`),
  );
  const digests = JSON.parse(await readFile(DIGESTS, 'utf8')) as Record<string, object>;
  if (replaced) delete digests[replaced.name];
  digests[name] = {
    up: digest([
      ...up,
      ...tracked.flatMap(({ table, about }) => trackRecords(table, about)),
      ...counted.flatMap(({ table, column }) => [...countValues(table, column), indexOfValues(table, column)]),
    ]),
    down: digest([
      ...counted.flatMap(({ table, column }) => uncountValues(table, column)),
      ...tracked.flatMap(({ table }) => untrackRecords(table)),
      ...down,
    ]),
  };
  await writeFile(DIGESTS, `${JSON.stringify(digests, null, 2)}\n`);
  format([join(FOLDER, `${file}.ts`), join(FOLDER, 'index.ts'), DIGESTS]);
  process.stdout.write(
    `src/schema/migrations/${file}.ts${replaced ? '\nA database that ran the earlier version of this migration must be created again.' : ''}\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
