// `npm run test:pooler -- test/e2e/http.spec.ts`: runs the tests through PgBouncer in transaction mode. TEST_DATABASE_URL leads to the
// server itself. Arguments are passed to jest; without them all tests run.
import './help.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pgbouncer, startPooler } from '../test/support/pooler.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const server = process.env.TEST_DATABASE_URL;
if (!server) {
  process.stderr.write(
    'Set TEST_DATABASE_URL to a PostgreSQL server, for example postgres://postgres@127.0.0.1:5432/postgres\n',
  );
  process.exit(2);
}
if (!pgbouncer) {
  process.stdout.write('SKIPPED: PgBouncer is not installed (Debian: apt-get install pgbouncer)\n');
  process.exit(0);
}
const pooler = await startPooler(server);
const flags = ['--disable-warning=ExperimentalWarning'];
const child = spawn(
  process.execPath,
  [...flags, join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: { ...process.env, TEST_POOLER_URL: pooler.url } },
);
const [code] = await once(child, 'exit');
await pooler.stop();
process.exitCode = code ?? 1;
