import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DataSource } from 'typeorm';
import { EmbeddedDatabase } from '../database/embedded/embedded-database.js';
import { dataSourceOf } from '../database/data-source.js';
import { isLogged } from '../fields/record-entity.js';
import { entities, records } from '../schema/entities.js';
import { migrations, nameOfMigration } from '../schema/migrations/index.js';
import { customIndexName, listIndexes } from '../schema/record-table.js';
import { recordTableOf } from '../schema/record-table-of.js';
import { helpWith } from './help.js';

const USAGE = `Usage: npm run migration:generate -- <what-it-does> [--table <table>]
Writes a migration with what the entities have and the migrations lack, for example: circuits. One of this name that is not
committed yet is replaced. With --table, refuses to write one that changes other tables too. Functions and triggers need no
migration: they are applied from src/schema/functions at the next start.`;

const FOLDER = join(process.cwd(), 'src', 'schema', 'migrations');

/**
 * Does the work with a temporary database. It is empty, or a copy of the directory TEST_DATABASE_BASE, whose database has the first
 * migrations already.
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

/** The statements that change the schema from the current migrations, without the one that is replaced, to the current entities. */
async function difference(replaced: string | undefined, embedded: EmbeddedDatabase): Promise<string[]> {
  const kept = migrations.filter(({ name }) => name !== replaced);
  const dataSource = await dataSourceOf(embedded.poolOptions(), {
    entities,
    migrations: kept,
    channels: [],
  }).initialize();
  // The caller reports failures in a sentence.
  dataSource.logger.logMigration = () => undefined;
  try {
    await dataSource.runMigrations().catch((error: unknown) => {
      if (replaced === undefined) throw error;
      throw new Error(
        `A later migration needs this one, so it stays (${error instanceof Error ? error.message : String(error)}). Choose another name for the rest. The migration of an owner must be finished before its part is made`,
      );
    });
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    const words: { word: string }[] = await dataSource.query(RESERVED);
    const reserved = new Set(words.map(({ word }) => word));
    return [...upQueries.map(({ query }) => readable(query, reserved)), ...(await missingIndexes(dataSource))];
  } finally {
    await dataSource.destroy();
  }
}

const RESERVED = `SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T')`;

/** TypeORM quotes every name, and writes a table in one line. */
function readable(statement: string, reserved: ReadonlySet<string>): string {
  const plain = statement.replaceAll(/"([a-z][a-z0-9_]*)"/g, (quoted, name: string) =>
    reserved.has(name) ? quoted : name,
  );
  const table = /^CREATE TABLE (\w+) \((.*)\)$/s.exec(plain);
  return table
    ? `CREATE TABLE ${table[1]} (\n  ${clauses(table[2]!).join(',\n  ')}\n)`
    : plain.replace('  (', ' (').trim();
}

/** Splits a table definition into columns and constraints, at the commas outside of brackets and texts. */
function clauses(text: string): string[] {
  const found = [''];
  let depth = 0;
  for (const [piece] of text.matchAll(/'(?:[^']|'')*'|[^']/g)) {
    if (piece === '(') depth++;
    if (piece === ')') depth--;
    if (piece === ',' && depth === 0) found.push('');
    else found.push(found.pop()! + piece);
  }
  return found.map((clause) => clause.trim());
}

/** Indexes of tables of records that TypeORM does not manage. */
async function missingIndexes(dataSource: DataSource): Promise<string[]> {
  const tables: { name: string }[] = await dataSource.query('SELECT tablename AS name FROM pg_tables');
  const indexes: { name: string }[] = await dataSource.query('SELECT indexname AS name FROM pg_indexes');
  const known = new Set(tables.map(({ name }) => name));
  const indexed = new Set(indexes.map(({ name }) => name));
  return records.filter(isLogged).flatMap((record) => {
    const about = recordTableOf(record);
    return (
      [...listIndexes(about)]
        // Parts without a list are not searched, so they need only the index of custom fields.
        .filter(([name]) => about.listed || !known.has(about.table) || name === customIndexName(about.table))
        .filter(([name]) => !indexed.has(name))
        .map(([, statement]) => statement)
    );
  });
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const HEADER = /^-- Generated \((\w+)\).*\n/;

const textOf = (slug: string, statements: readonly string[]): string => {
  const text = `\n${statements.map((statement) => `${statement};\n`).join('\n')}`;
  return `-- Generated (${digest(text)}) by \`npm run migration:generate -- ${slug}\`, which replaces it until it is edited or committed.\n${text}`;
};

/** The file of an uncommitted migration with this slug. No database depends on it, so it can be replaced. */
async function uncommitted(slug: string): Promise<string | undefined> {
  const files = await readdir(FOLDER);
  const file = files.find((candidate) => candidate.replace(/^\d{13}-/, '') === `${slug}.sql`);
  if (!file) return undefined;
  const { status, stdout } = spawnSync('git', ['ls-tree', '--name-only', 'HEAD', '--', file], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  if (status !== 0 || stdout !== '') {
    throw new Error(
      `src/schema/migrations/${file} may be released, and a released migration never changes: choose another name`,
    );
  }
  const text = await readFile(join(FOLDER, file), 'utf8');
  const header = HEADER.exec(text);
  if (header?.[1] !== digest(text.slice(header?.[0].length))) {
    throw new Error(
      `src/schema/migrations/${file} was edited since it was generated, and would be lost: choose another name for the rest, or delete it first`,
    );
  }
  return file;
}

const timestampOf = (name: string): number => Number(/\d{13}$/.exec(name)![0]);

/** Tables that statements change. */
const tablesOf = (statements: readonly string[]): string[] => [
  ...new Set(statements.flatMap((sql) => /\b(?:TABLE|ON) "?(\w+)"?/.exec(sql)?.[1] ?? [])),
];

/** `npm run migration:generate -- <what-it-does>`: writes a migration with what the entities have and the migrations lack. */
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
  const former = await uncommitted(slug);
  const replaced = former && nameOfMigration(former);
  const found = await withDatabase((embedded) => difference(replaced, embedded));
  if (found.length === 0) throw new Error('The migrations and the entities agree: there is nothing to write');
  const others = tablesOf(found).filter((changed) => changed !== only);
  if (only !== undefined && others.length > 0) {
    throw new Error(
      `The entities of other tables differ from the migrations too (${others.join(', ')}): write a migration for them first, with npm run migration:generate`,
    );
  }

  // TypeORM runs migrations in the order of the timestamps in their names, and another branch may have brought a later one.
  const kept = migrations.filter(({ name }) => name !== replaced);
  const time = Math.max(Date.now(), ...kept.map(({ name }) => timestampOf(name) + 1));
  const file = `${time}-${slug}.sql`;
  if (former) await unlink(join(FOLDER, former));
  await writeFile(join(FOLDER, file), textOf(slug, found), { flag: 'wx' });
  process.stdout.write(
    `src/schema/migrations/${file}${former ? '\nA database that ran the earlier version of this migration must be created again.' : ''}\n`,
  );
}

helpWith(USAGE);
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
