import { parseArgs } from 'node:util';
import type { TokenForProfile } from '../auth/token/token-request.js';
import { ask } from './ask.js';
import { helpWith } from './help.js';

const USAGE = `Usage: npm run token -- --email <email> --name <name> [--role <role>] [--areas <area>,…] [--days <number>] [--read-only]
Prints a new token of the profile. Its rights are those of the profile, unless --role, --areas or --read-only narrow them.`;

/** Arguments of the command line. Exits with a sentence if they are invalid. */
async function requested(): Promise<TokenForProfile> {
  const { parseTokenRequest } = await import('../auth/token/token-request.js');
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

helpWith(USAGE);
void requested().then((request) =>
  ask(
    'token',
    request,
    async ({ db }) => {
      const { openToken } = await import('../auth/token/token-request.js');
      return { token: await openToken(db, request) };
    },
    ({ token }) => token,
  ),
);
