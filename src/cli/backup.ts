import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BackupReport } from '../app/startup/back-up.js';
import { loadConfiguration, type Configuration } from '../config/configuration.js';
import { askOwner, DATABASE } from '../database/embedded/data-dir-lock.js';
import { helpWith } from './help.js';
import { command, CommandError } from './remote.js';

const USAGE = `Usage: npm run backup -- <file>
Writes a backup of the embedded database in DATA_DIR, with its secret key, while the service runs or not.`;

/** Milliseconds that a running service may take. */
const TIMEOUT = 12 * 60 * 60_000;

/** Used when the service does not run. The database is not migrated, so that a backup can be made before an upgrade. */
async function backUpStopped({ dataDir }: Configuration, file: string): Promise<BackupReport> {
  const [{ EmbeddedDatabase }, { backUp }, { Pool }] = await Promise.all([
    import('../database/embedded/embedded-database.js'),
    import('../app/startup/back-up.js'),
    import('pg'),
  ]);
  if (!existsSync(join(dataDir, DATABASE))) throw new CommandError(`There is no database in ${dataDir}`);
  const embedded = await EmbeddedDatabase.open({ dataDir });
  const pool = new Pool(embedded.poolOptions());
  try {
    return await backUp({ embedded, pool }, dataDir, file);
  } finally {
    await pool.end();
    await embedded.close();
  }
}

helpWith(USAGE);
/** `npm run backup -- inventory.backup`: a backup of the embedded database. */
command(async () => {
  const [file, ...others] = parseArgs({ allowPositionals: true }).positionals;
  if (file === undefined || others.length > 0) throw new CommandError(USAGE);
  const configuration = loadConfiguration();
  if (configuration.databaseUrl !== undefined) {
    throw new CommandError('DATABASE_URL is set: back up a PostgreSQL server with pg_dump or its usual tools');
  }
  const path = resolve(file);
  const report = await refusing(async () => {
    const answer = await askOwner(configuration.dataDir, { command: 'backup', file: path }, TIMEOUT);
    return (answer as BackupReport | null) ?? backUpStopped(configuration, path);
  });
  process.stdout.write(
    `${path}: ${(report.bytes / 1024 ** 2).toFixed(1)} MB${report.key ? ', with the secret key: keep it as safe as the database' : '. Keep SECRET_KEY, which is not in it, as well'}\n`,
  );
});

/** Errors such as a full disk are printed as a sentence. */
function refusing<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: Error) => {
    throw new CommandError(error.message, { cause: error });
  });
}
