// Databases of the benchmarks, on the server of BENCH_DATABASE_URL.
import { Client } from 'pg';
import { fill } from './data.mjs';
import { startServer } from './servers.mjs';

/** Returns a connected client. */
export async function connect(url) {
  const client = new Client(url);
  await client.connect();
  return client;
}

/**
 * Creates, migrates and fills a database, unless an existing one is to be kept.
 * @param {(client: Client, report: (line: string) => void) => Promise<void>} [filler]
 * @returns its URL
 */
export async function prepareDatabase(name, { keep }, filler = fill) {
  const server = process.env.BENCH_DATABASE_URL;
  if (!server) {
    throw new Error(
      'Set BENCH_DATABASE_URL to a PostgreSQL server, for example postgres://postgres@127.0.0.1:5432/postgres',
    );
  }
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const admin = await connect(server);
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  const fresh = !keep || rowCount === 0;
  if (fresh) {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  }
  await admin.end();
  // The service migrates its database when it starts.
  const service = await startServer('service', url);
  await service.stop();
  if (fresh) {
    const client = await connect(url);
    await filler(client, (line) => process.stderr.write(`  ${line}\n`));
    await client.end();
  }
  return url;
}
