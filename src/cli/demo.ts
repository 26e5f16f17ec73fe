import { createApp } from '../app.setup.js';
import { loadCatalogue } from '../catalogue/load-catalogue.js';
import { loadConfiguration, type Configuration } from '../config/configuration.js';
import { openDatabase } from '../database/open.js';
import { makeFirstAdministrator, type FirstAdministrator } from '../startup/first-administrator.js';
import { openSecretBox } from '../startup/secret-key.js';
import { fillDemo, type Counts } from './demo/fill.js';

/** `npm run demo`: fills a fresh database with an estate to look around in, the same one each time. */
async function main(): Promise<void> {
  const started = performance.now();
  // One client alone, whose requests are many and not worth a line each: what fails is thrown.
  const configuration: Configuration = { ...loadConfiguration(), rateLimit: 0, logLevel: 'silent' };
  const database = await openDatabase(configuration, {
    error: (details, message) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  });
  try {
    const { db } = database;
    const secrets = await openSecretBox(configuration, db);
    const made = await makeFirstAdministrator(db, configuration);
    await loadCatalogue(db);
    const app = await createApp({ configuration, db, secrets });
    let counts: Counts;
    try {
      counts = await fillDemo(app, db);
    } finally {
      await app.close();
    }
    process.stdout.write(report(counts, configuration, made, (performance.now() - started) / 1000));
  } finally {
    await database.close();
  }
}

/** What was made, how long it took, and how to get in. */
function report(
  counts: Counts,
  { databaseUrl, dataDir, host, port, adminEmail }: Configuration,
  made: FirstAdministrator | undefined,
  seconds: number,
): string {
  const where = databaseUrl === undefined ? dataDir : 'the PostgreSQL server of DATABASE_URL';
  const url = `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`;
  const lines = [
    `A demo estate was made in ${where} in ${seconds.toFixed(1)} s:`,
    '',
    ...Object.entries(counts).map(([path, total]) => `  ${String(total).padStart(5)}  ${path.replaceAll('-', ' ')}`),
    '',
    'Start the service with `npm start`, then',
    '',
  ];
  if (made) {
    // A password that came from the environment is not repeated: the shell puts it in.
    const password = made.password ?? `'"$ADMIN_PASSWORD"'`;
    lines.push(
      `  curl -c cookies.txt -H 'Content-Type: application/json' \\`,
      `    -d '{"email":"${made.email}","password":"${password}"}' ${url}/api/auth/login`,
      `  curl -b cookies.txt '${url}/api/devices?search=leaf&pageSize=5'`,
      ...(made.password === undefined ? [] : ['', 'The password is shown this once.']),
    );
  } else {
    lines.push(
      `  curl -b "session=$(npm run --silent session -- --email ${adminEmail})" '${url}/api/devices?search=leaf&pageSize=5'`,
    );
  }
  return `${lines.join('\n')}\n`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
