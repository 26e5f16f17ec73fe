import { parseArgs } from 'node:util';
import { openToken, parseTokenRequest, type TokenForProfile } from '../auth/token/token-request.js';
import { ask } from './ask.js';

/** Arguments of the command line. Exits with a sentence if they are invalid. */
function requested(): TokenForProfile {
  try {
    const { values } = parseArgs({
      options: {
        email: { type: 'string' },
        name: { type: 'string' },
        role: { type: 'string' },
        areas: { type: 'string' },
        days: { type: 'string' },
        'read-only': { type: 'boolean' },
      },
    });
    return parseTokenRequest(values);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

/** `npm run token -- --email … --name … [--role …] [--areas …] [--days …] [--read-only]`: prints a new token. */
const request = requested();
ask(
  'token',
  request,
  async ({ db }) => ({ token: await openToken(db, request) }),
  ({ token }) => token,
);
