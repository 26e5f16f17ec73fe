import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfiguration, type Configuration } from '../config/configuration.js';
import { DATABASE } from '../database/embedded/data-dir-lock.js';
import type { ComparedTable } from '../schema/copy-database.js';
import { helpWith } from './help.js';
import { command, CommandError } from './remote.js';

const USAGE = `Usage: npm run move -- postgres://<user>@<host>/<database>
Copies the embedded database in DATA_DIR to a new database of a PostgreSQL server, with every record, id, time, entry of the change
log, session and secret. Stop the service first. Give the role that is to own the tables. The embedded database keeps its records, and
sends nothing any more.`;

/** @returns the tables, with the row counts and digests that both databases have */
async function move(configuration: Configuration, databaseUrl: string): Promise<ComparedTable[]> {
  const [
    { serverPool, withoutTimeouts },
    { copyDatabase, refuseUsed },
    { createDataSource },
    { migrate },
    { openDatabase },
    { identityOf, isOwn, leaveIdentity, takeIdentity },
  ] = await Promise.all([
    import('../database/data-source.js'),
    import('../schema/copy-database.js'),
    import('../schema/data-source.js'),
    import('../schema/migrate.js'),
    import('../schema/open-database.js'),
    import('../database/identity.js'),
  ]);
  const { dataDir } = configuration;
  if (!existsSync(join(dataDir, DATABASE))) throw new CommandError(`There is no database in ${dataDir}`);
  const pool = serverPool({ ...configuration, databaseUrl, databasePoolSize: 1 });
  await refuseUsed(pool);
  const say = (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`);
  const source = await openDatabase(
    { ...configuration, databaseUrl: undefined, databaseMigrationUrl: undefined },
    { error: say, info: say },
  );
  try {
    const target = await createDataSource(pool).initialize();
    const tables: ComparedTable[] = [];
    try {
      // Under the migration lock, so that a service that starts meanwhile waits.
      await migrate(target, pool, true, async () => {
        await copyDatabase(source.db, withoutTimeouts(pool), (table) => void tables.push(table));
        // A copy that sends nothing must not start to send on the server.
        if (!(await isOwn(source.db, await identityOf(source.db, { dataDir })))) return;
        const { database: db } = target;
        await takeIdentity(db, await identityOf(db, { databaseUrl, dataDir }));
        // From now on only the new database sends webhooks and calendars.
        await source.db.write(leaveIdentity());
      });
    } finally {
      await target.destroy();
    }
    return tables;
  } finally {
    await source.close();
  }
}

const report = (tables: readonly ComparedTable[], dataDir: string): string => {
  const width = Math.max(...tables.map(({ table }) => table.length));
  return [
    ...tables.map(({ table, rows, digest }) => `${table.padEnd(width)}  ${rows.padStart(9)}  ${digest}`),
    `${tables.length} tables are the same in both databases. Set DATABASE_URL, and keep the secret key: SECRET_KEY, or the file in ${dataDir}`,
  ].join('\n');
};

helpWith(USAGE);
/** `npm run move -- postgres://db.example.com/inventory`: from the embedded database to a server. */
command(async () => {
  const [url, ...others] = parseArgs({ allowPositionals: true }).positionals;
  if (url === undefined || others.length > 0) throw new CommandError(USAGE);
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new CommandError('The address of the database must start with postgres:// or postgresql://');
  const configuration = loadConfiguration();
  const { dataDir } = configuration;
  const tables = await move(configuration, url).catch((error: Error) => {
    throw new CommandError(error.message, { cause: error });
  });
  process.stdout.write(`${report(tables, dataDir)}\n`);
});
