import { parseArgs } from 'node:util';
import { Clock } from '../auth/credential/clock.js';
import { openSession, parseSessionRequest, type SessionRequest } from '../auth/open-session.js';
import { Sessions } from '../auth/session/sessions.js';
import { ask } from './ask.js';

/** Arguments of the command line. Exits with a sentence if they are invalid. */
function requested(): SessionRequest {
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

/** `npm run session -- --email … [--role …] [--areas …]`: prints the value of a session cookie. */
const request = requested();
ask(
  'session',
  request,
  async ({ db, configuration }) => {
    const limits = { idleMinutes: configuration.sessionIdleMinutes, absoluteHours: configuration.sessionAbsoluteHours };
    return { token: await openSession(db, new Sessions(db, new Clock(), limits), request) };
  },
  ({ token }) => token,
);
