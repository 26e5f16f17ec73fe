import type { FirstAdministrator } from './first-administrator.js';

/** What the operator sees when the service listens: where it is, and how to get in. */
export function banner(url: string, where: string, adminEmail: string, made: FirstAdministrator | undefined): string {
  const lines = [
    '',
    `Infrastructure Inventory and Operations is listening on ${url}`,
    `  Swagger UI  ${url}/docs`,
    `  Data        ${where}`,
  ];
  if (made) {
    // A password that came from the environment is not repeated: the shell puts it in.
    const password = made.password === undefined ? `'"$ADMIN_PASSWORD"'` : made.password;
    lines.push(
      '',
      `The first administrator is ${made.email}.${made.password === undefined ? '' : ' The password is shown this once.'}`,
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
      'Log in with your email and password at POST /api/auth/login, or open a session from here:',
      '',
      `  curl -b "session=$(npm run --silent session -- --email ${adminEmail})" ${url}/api/auth/session`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
