import type { Configuration } from '../../config/configuration.js';
import { onDatabase } from '../../app/startup/banner.js';
import type { FirstAdministrator } from '../../app/startup/first-administrator.js';
import type { Counts } from './fill.js';

/** The report: created records, duration, and how to log in. */
export function report(
  counts: Counts,
  configuration: Configuration,
  made: FirstAdministrator | undefined,
  milliseconds: number,
): string {
  const { databaseUrl, dataDir, secretKey, host, port, adminEmail } = configuration;
  const where = databaseUrl === undefined ? dataDir : 'the database of DATABASE_URL';
  // The following commands need the same database or its secret key. The addresses need the same host and port.
  const on = onDatabase(secretKey === undefined ? { dataDir } : configuration);
  const listening = [...(host === '127.0.0.1' ? [] : [`HOST=${host} `]), ...(port === 3000 ? [] : [`PORT=${port} `])];
  const url = `http://${['0.0.0.0', '::'].includes(host) ? 'localhost' : host}:${port}`;
  const look = `'${url}/api/devices?search=leaf&pageSize=5'`;
  const lines = [
    `A demo estate was made in ${where} in ${(milliseconds / 1000).toFixed(1)} s:`,
    '',
    ...Object.entries(counts).map(([path, total]) => `  ${String(total).padStart(5)}  ${path.replaceAll('-', ' ')}`),
    '',
    `Start the service with this database${databaseUrl === undefined ? '' : ' (the same DATABASE_URL)'}:`,
    '',
    `  ${listening.join('')}${on}npm start`,
    '',
    'Then, in another terminal:',
    '',
  ];
  if (made?.password !== undefined) {
    lines.push(
      `  curl -c cookies.txt -H 'Content-Type: application/json' \\`,
      `    -d '{"email":"${made.email}","password":"${made.password}"}' ${url}/api/auth/login`,
      `  curl -b cookies.txt ${look}`,
      '',
      'The password is shown only once.',
    );
  } else {
    // A password from the environment is not repeated, and the other terminal does not know it.
    lines.push(`  curl -b "session=$(${on}npm run --silent session -- --email ${adminEmail})" ${look}`);
  }
  return `${lines.join('\n')}\n`;
}
