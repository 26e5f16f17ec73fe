import { relative, resolve } from 'node:path';
import { DEFAULT_DIRECTORY, type Configuration } from '../../config/configuration.js';
import type { FirstAdministrator } from './first-administrator.js';

/** The message that the operator sees once the service listens: its address and how to log in. Without password login, no password is shown. */
export function banner(
  url: string,
  configuration: Pick<Configuration, 'databaseUrl' | 'dataDir' | 'passwordLogin'>,
  adminEmail: string,
  made: FirstAdministrator | undefined,
): string {
  const { databaseUrl, dataDir, passwordLogin } = configuration;
  const lines = [
    '',
    `Infrastructure Inventory and Operations is listening on ${url}`,
    `  Page        ${url}/`,
    `  Swagger UI  ${url}/docs`,
    `  Data        ${databaseUrl === undefined ? dataDir : 'PostgreSQL server of DATABASE_URL'}`,
  ];
  if (made && passwordLogin) {
    // A password from the environment is not repeated: the shell inserts it.
    const password = made.password === undefined ? `'"$ADMIN_PASSWORD"'` : made.password;
    lines.push(
      '',
      `The first administrator is ${made.email}.${made.password === undefined ? '' : ' The password is shown only once.'}`,
      'Log in:',
      '',
      `  curl -c cookies.txt -H 'Content-Type: application/json' \\`,
      `    -d '{"email":"${made.email}","password":"${password}"}' ${url}/api/auth/login`,
      `  curl -b cookies.txt ${url}/api/auth/session`,
    );
    if (made.weakness !== undefined) {
      lines.push('', `ADMIN_PASSWORD ${made.weakness}. Change it at POST /api/auth/password.`);
    }
  } else {
    lines.push(
      '',
      passwordLogin
        ? 'Log in with your email and password at POST /api/auth/login, or open a session from here:'
        : `Sign in at ${url}/api/auth/oidc/login, or open a session from here:`,
      '',
      `  curl -b "session=$(${onDatabase(configuration)}npm run --silent session -- --email ${adminEmail})" ${url}/api/auth/session`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/** The message of a start that created the first administrator and then failed: the password, which no later start can show. */
export function messageOfFailedStart({ email, password }: FirstAdministrator, passwordLogin = true): string {
  if (password === undefined || !passwordLogin) return '';
  return `\nThe first administrator is ${email} with the password ${password}, which is shown only once.\n\n`;
}

/** The prefix of an npm command for the same embedded database; empty if it is not needed. */
export function onDatabase({
  databaseUrl,
  dataDir,
}: Pick<Configuration, 'dataDir'> & Partial<Pick<Configuration, 'databaseUrl'>>): string {
  return databaseUrl !== undefined || dataDir === resolve(DEFAULT_DIRECTORY)
    ? ''
    : `DATA_DIR=${quoted(shortest(dataDir))} `;
}

/** A directory as it is typed: relative to the current one if it is inside of it. */
function shortest(directory: string): string {
  const path = relative(process.cwd(), directory);
  return path === '' || path.startsWith('..') ? directory : `./${path}`;
}

const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
