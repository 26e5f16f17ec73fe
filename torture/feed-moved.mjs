// Cursors of the feed after the database has moved: a dump that is restored on another server, and a standby that is promoted with and
// without the last entries.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, openSession, PostgresServer, startService } from './support.mjs';

/** Transactions that the first server has had before, so that its numbers are far ahead of those of a new one. */
const TRANSACTIONS = 20_000;

const namesOf = ({ data }) => data.map(({ recordName }) => recordName).join(', ');

/** The service on a server, and requests of an administrator. */
async function serve({ url }) {
  const settings = { DATABASE_URL: url };
  const service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  const ask = (query) => api.request('GET', `/api/changes?resource=sites&${query}`);
  return {
    ask,
    /** What can be shown now. */
    read: async (since) => (await ask(`since=${since}`)).body,
    make: (name) => api.must('POST', '/api/sites', { name }),
    /** The first page with an entry. */
    async readOn(since) {
      for (;;) {
        const { body } = await ask(`since=${since}&wait=5`);
        if (body.data.length > 0) return body;
      }
    },
    end: () => service.end(),
  };
}

export default async function feedMoved({ check }) {
  const first = await PostgresServer.make();
  await first.query(
    `DO $$ BEGIN FOR n IN 1..${TRANSACTIONS} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`,
  );
  let service = await serve(first);
  await service.make('one');
  const { cursor } = await service.readOn('start');
  await service.make('two');
  const { cursor: two } = await service.readOn(cursor);

  const dump = join(first.directory.path, 'dump');
  await first.as('pg_dump', ['-d', first.url, '-Fc', '-f', dump]);
  const second = await PostgresServer.make();
  await second.as('pg_restore', ['-d', second.url, '--no-owner', dump]);
  const [{ behind }] = await second.query(
    `SELECT max(transaction_id) - pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS behind FROM change_log`,
  );
  const restored = await serve(second);
  const kept = namesOf(await restored.read(cursor));
  await restored.make('three');
  await restored.readOn(two);
  const after = namesOf(await restored.read(cursor));
  check({
    what: `Dump restored on a new server, ${behind} transactions behind: entries after the old cursor, and after a further write`,
    asked: 'two; two, three',
    reached: `${kept}; ${after}`,
    kept: kept === 'two' && after === 'two, three' && behind > 0,
  });
  await restored.end();
  await second.remove();

  const standby = await PostgresServer.standbyOf(first);
  await service.make('replicated');
  const { cursor: replicated } = await service.readOn(two);
  while ((await standby.query(`SELECT FROM sites WHERE name = 'replicated'`)).length === 0) await sleep(50);
  await standby.stop();
  await service.make('lost');
  const { cursor: lost } = await service.readOn(replicated);
  await service.end();
  await first.remove();
  await standby.start();
  await standby.as('pg_ctl', ['promote', '-D', standby.data, '-w']);
  service = await serve(standby);
  await service.make('four');
  const next = namesOf(await service.readOn(replicated));
  const { status } = await service.ask(`since=${lost}`);
  check({
    what: 'Standby promoted: entries after the cursor of an entry that it has; status for the cursor of one that it has lost',
    asked: 'four; 410',
    reached: `${next}; ${status}`,
    kept: next === 'four' && status === 410,
  });
  await service.end();
  await standby.remove();
}
