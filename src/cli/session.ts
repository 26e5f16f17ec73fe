import { parseArgs } from 'node:util';
import type { SessionRequest } from '../auth/open-session.js';
import { ask } from './ask.js';
import { helpWith } from './help.js';

const USAGE = `Usage: npm run session -- --email <email> [--role <role>] [--areas <area>,…]
Prints the value of a session cookie. With --role, a profile that does not exist is created.`;

/** Arguments of the command line. Exits with a sentence if they are invalid. */
async function requested(): Promise<SessionRequest> {
  const { parseSessionRequest } = await import('../auth/open-session.js');
  try {
    const { values } = parseArgs({
      options: { email: { type: 'string' }, role: { type: 'string' }, areas: { type: 'string' } },
    });
    return parseSessionRequest(values);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

helpWith(USAGE);
void requested().then((request) =>
  ask(
    'session',
    request,
    async ({ db, configuration }) => {
      const [{ Clock }, { openSession }, { Sessions }] = await Promise.all([
        import('../auth/credential/clock.js'),
        import('../auth/open-session.js'),
        import('../auth/session/sessions.js'),
      ]);
      const limits = {
        idleMinutes: configuration.sessionIdleMinutes,
        absoluteHours: configuration.sessionAbsoluteHours,
      };
      const sessions = new Sessions(db, new Clock(), limits);
      return { token: await openSession(db, sessions, request) };
    },
    ({ token }) => token,
  ),
);
