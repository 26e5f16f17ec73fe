import { loadConfiguration } from '../config/configuration.js';
import { helpWith } from './help.js';
import { command, CommandError } from './remote.js';
import { sql } from '../database/sql.js';

const USAGE = `Usage: npm run migrate
Migrates the database, as the start of the service does, and ends. With DATABASE_MIGRATION_URL it also grants the role of
DATABASE_URL its rights, so that replicas without DATABASE_MIGRATION_URL can start.`;

helpWith(USAGE);
/** `npm run migrate`: brings the database to this version before a rollout. */
command(async () => {
  const { openDatabase } = await import('../schema/open-database.js');
  const say = (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`);
  const { db, close } = await openDatabase(loadConfiguration(), { error: say, info: say }).catch((error: Error) => {
    throw new CommandError(error.message, { cause: error });
  });
  try {
    const [last] = await db.query<{ name: string }>(sql`SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1`);
    process.stdout.write(`The database has every migration up to ${last!.name}\n`);
  } finally {
    await close();
  }
});
