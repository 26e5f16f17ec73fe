import { parseArgs } from 'node:util';
import { Clock } from '../auth/clock.js';
import { openSession, parseSessionRequest } from '../auth/open-session.js';
import { Sessions } from '../auth/session/sessions.js';
import { loadConfiguration } from '../config/configuration.js';
import { askOwner } from '../database/embedded/data-dir-lock.js';
import { openDatabase } from '../database/open.js';

/** `npm run session -- --email … [--role …] [--areas …]`: prints the value of a session cookie. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { email: { type: 'string' }, role: { type: 'string' }, areas: { type: 'string' } },
  });
  const request = parseSessionRequest(values);
  const configuration = loadConfiguration();
  if (configuration.databaseUrl === undefined) {
    // The embedded database has one owner: where the service runs, it opens the session.
    const answer = await askOwner(configuration.dataDir, request);
    if (answer) {
      process.stdout.write(`${String((answer as { token: string }).token)}\n`);
      return;
    }
  }
  const database = await openDatabase(configuration, {
    error: (details, message) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  });
  try {
    const limits = { idleMinutes: configuration.sessionIdleMinutes, absoluteHours: configuration.sessionAbsoluteHours };
    const sessions = new Sessions(database.db, new Clock(), limits);
    process.stdout.write(`${await openSession(database.db, sessions, request)}\n`);
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
