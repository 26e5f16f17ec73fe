import { loadConfiguration, type Configuration } from '../config/configuration.js';
import type { Counts } from './demo/fill.js';
import { helpWith } from './help.js';

const USAGE = `Usage: npm run demo
Fills a new database with a demo estate. DATA_DIR (demo-data by default) or DATABASE_URL says which one.`;

/** A separate directory, so that the demo can be created before or after the first start of the service. */
const DIRECTORY = 'demo-data';

/** `npm run demo`: fills a new database with a demo estate, the same one each time. `DATA_DIR` or `DATABASE_URL` names another one. */
async function main(): Promise<void> {
  const started = performance.now();
  const [
    { createApp },
    { makeFirstAdministrator },
    { loadCatalogue },
    { openSecrets },
    { openDatabase },
    { fillDemo },
    { report },
  ] = await Promise.all([
    import('../app/app.setup.js'),
    import('../app/startup/first-administrator.js'),
    import('../app/startup/load-catalogue.js'),
    import('../app/startup/secret-key.js'),
    import('../schema/open-database.js'),
    import('./demo/fill.js'),
    import('./demo/report.js'),
  ]);
  // There is only one client, and its requests are too many to log. Failures are thrown.
  const configuration: Configuration = {
    ...loadConfiguration(undefined, { dataDir: DIRECTORY }),
    rateLimit: 0,
    logLevel: 'silent',
  };
  const say = (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`);
  const database = await openDatabase(configuration, { error: say, info: say });
  try {
    const { db, dataSource } = database;
    const secrets = await openSecrets(configuration, db);
    const made = await makeFirstAdministrator(db, configuration);
    await loadCatalogue(db);
    const app = await createApp({ configuration, dataSource, secrets });
    let counts: Counts;
    try {
      counts = await fillDemo(app, db);
    } finally {
      await app.close();
    }
    process.stdout.write(report(counts, configuration, made, performance.now() - started));
  } finally {
    await database.close();
  }
}

helpWith(USAGE);
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
