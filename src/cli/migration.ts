import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDatabase } from '../database/embedded/embedded-database.js';
import { migrate } from '../database/data-source.js';
import { tableOf } from '../records/resource.js';
import { createDataSource } from '../schema/data-source.js';
import { records } from '../schema/entities.js';
import { trackRecords, untrackRecords } from '../schema/migrations/record-table.js';
import { recordTableOf } from '../schema/record-table-of.js';

const FOLDER = join(process.cwd(), 'src', 'schema', 'migrations');
const DIGESTS = join(process.cwd(), 'test', 'migrations', 'frozen.json');

/** The statements that bring a database of today's migrations to today's entities, and back. Needs no server. */
async function difference(): Promise<{ up: string[]; down: string[] }> {
  const embedded = await EmbeddedDatabase.open({});
  const pool = embedded.poolOptions();
  const dataSource = await createDataSource(pool).initialize();
  try {
    await migrate(dataSource, pool, false);
    const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
    return { up: upQueries.map(({ query }) => query), down: downQueries.map(({ query }) => query).toReversed() };
  } finally {
    await dataSource.destroy();
    await embedded.close();
  }
}

const literal = (sql: string): string => `\`${sql.replaceAll(/[\\`$]/g, String.raw`\$&`)}\``;

const digest = (statements: readonly string[]): string =>
  createHash('sha256')
    .update(statements.map((statement) => `${statement}\0`).join(''))
    .digest('hex');

/** `npm run migration:generate -- <what-it-does>`: writes the migration that the entities lack, and lists it. */
async function main(): Promise<void> {
  const [slug] = process.argv.slice(2);
  if (!slug || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(slug)) {
    throw new Error(
      'Say what the migration does, in lower case with hyphens, for example: npm run migration:generate -- circuits',
    );
  }
  const { up, down } = await difference();
  if (up.length === 0) throw new Error('The migrations and the entities agree: there is nothing to write');
  const created = up.flatMap((sql) => /^CREATE TABLE "(\w+)"/.exec(sql)?.[1] ?? []);
  const tracked = records
    .filter((record) => created.includes(tableOf(record)))
    .map((record) => ({ table: tableOf(record), about: recordTableOf(record) }));

  const now = new Date();
  const name = `${slug.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}${now.getTime()}`;
  const file = `${now.toISOString().slice(0, 10).replaceAll('-', '')}-${slug}`;
  const lines = (statements: readonly string[]): string[] => statements.map((sql) => `  ${literal(sql)},`);
  const imports = tracked.length > 0 ? [`import { trackRecords, untrackRecords } from './record-table.js';`] : [];
  const text = [
    ...imports,
    `import { SqlMigration } from './sql-migration.js';`,
    '',
    'const up = [',
    ...lines(up),
    ...tracked.map(({ table, about }) => `  ...trackRecords('${table}', ${JSON.stringify(about)}),`),
    '];',
    '',
    'const down = [',
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
  await writeFile(join(FOLDER, `${file}.ts`), text, { flag: 'wx' });

  const index = await readFile(join(FOLDER, 'index.ts'), 'utf8');
  await writeFile(
    join(FOLDER, 'index.ts'),
    index
      .replace('\n\n/**', `\nimport { ${name} } from './${file}.js';\n\n/**`)
      .replace(/\n\];\n$/, `\n  ${name},\n];\n`),
  );
  const digests = JSON.parse(await readFile(DIGESTS, 'utf8')) as Record<string, object>;
  digests[name] = {
    up: digest([...up, ...tracked.flatMap(({ table, about }) => trackRecords(table, about))]),
    down: digest([...tracked.flatMap(({ table }) => untrackRecords(table)), ...down]),
  };
  await writeFile(DIGESTS, `${JSON.stringify(digests, null, 2)}\n`);
  process.stdout.write(`src/schema/migrations/${file}.ts\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
