import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** The inputs of the cache key of a migrated database. */
const DECISIVE = ['src', 'test/support/template.ts', 'package-lock.json'];
/** Sources that matter: the schema, and the entities, which determine the triggers of tables. */
const DECISIVE_SOURCES = /^(?:schema|database|fields)\b|\.entity\.ts$/;
const DAY = 86_400_000;

/**
 * Migrates one database that every test file copies. An embedded one is cached for a day, for runs with the same migrations.
 * TEST_DATABASE_TEMPLATE names one that several runs share (on a server its name, otherwise its directory): the first of them creates
 * it, and the caller that set the variable removes it. If it is empty, the run has its own. TEST_DATABASE_BASE is the directory of a
 * database with the first migrations, which then do not have to run.
 */
async function create(cacheDirectory: string): Promise<void> {
  const { TEST_DATABASE_URL: server, TEST_DATABASE_TEMPLATE: given, TEST_DATABASE_BASE: base } = process.env;
  const isKept = !server && given === undefined && !base;
  process.env.TEST_DATABASE_TEMPLATE_SHARED = given || isKept ? 'yes' : '';
  if (server) return onServerTemplate();
  if (isKept) process.env.TEST_DATABASE_TEMPLATE = keptIn(join(cacheDirectory, 'databases'));
  return embeddedTemplate();
}

/** The directory of the database of these migrations. Unused ones are removed. */
function keptIn(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (statSync(join(folder, name)).mtimeMs < Date.now() - 2 * DAY) rmSync(join(folder, name), { recursive: true });
  }
  const today = Math.floor(Date.now() / DAY);
  return join(folder, `${today}-${digest()}`);
}

function digest(): string {
  const hash = createHash('sha256');
  for (const path of DECISIVE) {
    const isFolder = statSync(join(ROOT, path)).isDirectory();
    const files = isFolder
      ? readdirSync(join(ROOT, path), { encoding: 'utf8', recursive: true }).filter((file) =>
          DECISIVE_SOURCES.test(file),
        )
      : [''];
    for (const file of files.toSorted()) {
      const full = join(ROOT, path, file);
      if (statSync(full).isFile()) hash.update(`${path}/${file}\0`).update(readFileSync(full)).update('\0');
    }
  }
  return hash.digest('hex').slice(0, 32);
}

async function onServerTemplate(): Promise<void> {
  // Not before they are needed, because loading them takes a second.
  const { serverPool } = await import('../../src/database/data-source.js');
  const { migrate } = await import('../../src/schema/migrate.js');
  const { createDataSource } = await import('../../src/schema/data-source.js');
  const { administer, serverConfiguration, urlOf } = await import('./database.js');
  const name = (process.env.TEST_DATABASE_TEMPLATE ||= `inventory_test_${randomBytes(5).toString('hex')}`);
  const [found] = await administer(`SELECT FROM pg_database WHERE datname = '${name}'`);
  if (found?.rowCount) return;
  await administer(`CREATE DATABASE ${name}`);
  const options = serverPool(serverConfiguration(urlOf(name)));
  const dataSource = await createDataSource(options).initialize();
  await migrate(dataSource, options, true);
  await dataSource.destroy();
}

async function embeddedTemplate(): Promise<void> {
  const directory = (process.env.TEST_DATABASE_TEMPLATE ||= join(
    mkdtempSync(join(tmpdir(), 'inventory-test-')),
    'template',
  ));
  if (existsSync(directory)) return;
  const { migrate } = await import('../../src/schema/migrate.js');
  const { EmbeddedDatabase } = await import('../../src/database/embedded/embedded-database.js');
  const { createDataSource } = await import('../../src/schema/data-source.js');
  const draft = mkdtempSync(`${directory}-`);
  const base = process.env.TEST_DATABASE_BASE;
  if (base) cpSync(base, join(draft, 'postgres'), { recursive: true });
  const embedded = await EmbeddedDatabase.open({ dataDir: draft });
  const options = embedded.poolOptions();
  const dataSource = await createDataSource(options).initialize();
  await migrate(dataSource, options, false);
  await dataSource.destroy();
  // A copy of a database that was not shut down would start with recovery.
  await embedded.close();
  // Every copy would otherwise allocate the usual 128 MB of WAL. Full page images are for power failures.
  appendFileSync(join(draft, 'postgres', 'postgresql.conf'), 'shared_buffers = 16MB\nfull_page_writes = off\n');
  // Another run may have been faster.
  if (!existsSync(directory)) renameSync(join(draft, 'postgres'), directory);
  rmSync(draft, { recursive: true });
}

/** Removes every database of this run, including those of interrupted test files, unless its template is shared. */
async function drop(): Promise<void> {
  const { TEST_DATABASE_TEMPLATE: template = '', TEST_DATABASE_URL: server } = process.env;
  if (process.env.TEST_DATABASE_TEMPLATE_SHARED) return;
  if (!server) return rmSync(dirname(template), { recursive: true, force: true });
  const { administer } = await import('./database.js');
  const [found] = await administer(`SELECT datname FROM pg_database WHERE starts_with(datname, '${template}')`);
  await administer(
    ...found!.rows.map(({ datname }: { datname: string }) => `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`),
  );
}

async function main([work, cacheDirectory]: string[]): Promise<void> {
  if (work === 'drop') return drop();
  await create(cacheDirectory!);
  const { TEST_DATABASE_TEMPLATE, TEST_DATABASE_TEMPLATE_SHARED } = process.env;
  process.stdout.write(JSON.stringify({ TEST_DATABASE_TEMPLATE, TEST_DATABASE_TEMPLATE_SHARED }));
}

void main(process.argv.slice(2));
