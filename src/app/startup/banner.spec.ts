import { loadConfiguration } from '../../config/configuration.js';
import { banner } from './banner.js';

/** The command of the banner that opens a session. */
const session = (env: NodeJS.ProcessEnv): string | undefined =>
  /\$\(.*\)/.exec(banner('http://127.0.0.1:3000', loadConfiguration(env), 'admin@example.com', undefined))?.[0];

// Without the directory the command would create another database, and its session would be unknown.
it.each([
  [{}, '$(npm run --silent session -- --email admin@example.com)'],
  [{ DATA_DIR: './data' }, '$(npm run --silent session -- --email admin@example.com)'],
  [{ DATA_DIR: './demo-data' }, '$(DATA_DIR=./demo-data npm run --silent session -- --email admin@example.com)'],
  [{ DATA_DIR: '/srv/a b' }, `$(DATA_DIR='/srv/a b' npm run --silent session -- --email admin@example.com)`],
  [
    { DATA_DIR: './demo-data', DATABASE_URL: 'postgres://db/inventory' },
    '$(npm run --silent session -- --email admin@example.com)',
  ],
])('with %j the command of the banner uses the database of the service', (env, command) => {
  expect(session(env)).toBe(command);
});
