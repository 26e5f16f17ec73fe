import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { LoginThrottling } from '../../src/auth/password/login-throttle.js';
import { Sessions } from '../../src/auth/session/sessions.js';
import { loadCatalogue } from '../../src/app/startup/load-catalogue.js';
import { ChangeLogRetention } from '../../src/change-log/change-log-retention.js';
import { loadConfiguration } from '../../src/config/configuration.js';
import { openDatabase, type OpenDatabase } from '../../src/schema/open-database.js';
import { pruneIdempotencyKeys } from '../../src/resource/idempotency/idempotency.js';
import { RecordCounts } from '../../src/lists/record-counts.js';
import { makeFirstAdministrator } from '../../src/app/startup/first-administrator.js';
import { rows } from '../resources/rows.js';
import { document } from '../support/document.js';
import { Maker } from '../resources/make.js';
import { startServiceOn, type Api, type TestService } from '../support/app.js';
import { administer, connectTo, onServer, urlOf } from '../support/database.js';
import { raw, sql, type Sql } from '../../src/database/sql.js';

const ADMIN_PASSWORD = 'a password of the tests';
const describeOnServer = onServer ? describe : describe.skip;

// One role owns the tables and migrates them. The service runs with another role.
describeOnServer('the service with a role that does not own its tables', () => {
  const root = join(__dirname, '../..');
  const name = `${process.env.TEST_DATABASE_PREFIX}_roles_${randomBytes(4).toString('hex')}`;
  const [owner, ordinary, powerful] = [`${name}_owner`, `${name}_service`, `${name}_powerful`];
  const password = randomBytes(12).toString('hex');
  const urlAs = (role: string, database = name): string => {
    const url = new URL(urlOf(database));
    url.username = role;
    url.password = password;
    return url.toString();
  };
  const children = new Set<{ kill(): Promise<unknown> }>();

  beforeAll(async () => {
    await administer(
      ...[owner, ordinary, powerful].map((role) => `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`),
      `GRANT ${owner} TO ${powerful}`,
      `CREATE DATABASE ${name} OWNER ${owner}`,
    );
  });
  afterAll(async () => {
    for (const child of children) await child.kill();
    await administer(
      `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
      ...[powerful, ordinary, owner].map((role) => `DROP ROLE IF EXISTS ${role}`),
    );
  });

  /** Starts the service like `npm start`. Returns its output once it listens or has exited. */
  async function start(settings: Record<string, string>): Promise<{ output: string; stop(): Promise<unknown> }> {
    const child = spawn(process.execPath, ['scripts/run.mjs', 'main'], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        SECRET_KEY: 'a key that only the tests use, 32+',
        PORT: '0',
        LOG_LEVEL: 'error',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = once(child, 'exit');
    let output = '';
    const said = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk;
          if (output.includes('listening on')) resolve();
        });
      }
    });
    const stop = (): Promise<unknown> => {
      child.kill('SIGKILL');
      return gone;
    };
    children.add({ kill: stop });
    await Promise.race([said, gone]);
    return { output, stop };
  }

  /** Opens the database as a start does: migrated, with rights for the role of the service. */
  const open = (role: string, database = name, migrations?: string): Promise<OpenDatabase> => {
    const settings = { DATABASE_URL: urlAs(role, database), DATABASE_MIGRATION_URL: migrations };
    return openDatabase(loadConfiguration(settings), { error: () => {}, info: () => {} });
  };

  it('reports a role with the rights of the owner', async () => {
    for (const role of [owner, powerful])
      await expect(open(role, name, urlAs(owner))).rejects.toThrow(
        `The role ${role} of DATABASE_URL has rights that are reserved`,
      );
  });

  it('reports what is missing if it may not migrate', async () => {
    await administer(`CREATE DATABASE ${name}_empty OWNER ${owner}`);
    try {
      await expect(open(ordinary, `${name}_empty`)).rejects.toThrow('set DATABASE_MIGRATION_URL');
    } finally {
      await administer(`DROP DATABASE ${name}_empty WITH (FORCE)`);
    }
  });

  it('names the variable of a database that it cannot open', async () => {
    const nowhere = urlAs(owner, `${name}_nowhere`);
    await expect(open(ordinary, `${name}_nowhere`)).rejects.toThrow(
      `The database of DATABASE_URL cannot be opened: database "${name}_nowhere" does not exist`,
    );
    await expect(open(ordinary, name, nowhere)).rejects.toThrow(
      'The database of DATABASE_MIGRATION_URL cannot be opened',
    );
  });

  it('refuses an owner of another database, and leaves that one alone', async () => {
    const other = `${name}_other`;
    await administer(`CREATE DATABASE ${other} OWNER ${owner}`);
    try {
      await expect(open(ordinary, name, urlAs(owner, other))).rejects.toThrow(
        'DATABASE_MIGRATION_URL leads to another database than DATABASE_URL',
      );
      const client = new Client({ connectionString: urlOf(other) });
      await client.connect();
      const { rows: tables } = await client.query(`SELECT relname FROM pg_stat_user_tables`);
      await client.end();
      expect(tables).toEqual([]);
    } finally {
      await administer(`DROP DATABASE ${other} WITH (FORCE)`);
    }
  });

  it('starts as a process: first with the owner, which migrates, and then without it', async () => {
    const database = `${name}_process`;
    await administer(`CREATE DATABASE ${database} OWNER ${owner}`);
    try {
      // This part needs the built service.
      expect(spawnSync(process.execPath, ['scripts/run.mjs'], { cwd: root, stdio: 'ignore' }).status).toBe(0);
      const DATABASE_URL = urlAs(ordinary, database);
      const settings = { DATABASE_URL, DATABASE_MIGRATION_URL: urlAs(owner, database) };
      for (const given of [settings, settings, { DATABASE_URL }]) {
        const { output, stop } = await start(given);
        expect(output).toContain('listening on');
        await stop();
      }
    } finally {
      await administer(`DROP DATABASE ${database} WITH (FORCE)`);
    }
  }, 300_000);

  describe('while it runs', () => {
    let service: TestService;
    let admin: Api;
    beforeAll(async () => {
      const first = await open(ordinary, name, urlAs(owner));
      await makeFirstAdministrator(first.db, loadConfiguration({ ADMIN_PASSWORD }));
      await loadCatalogue(first.db);
      await first.close();
      service = await startServiceOn(await connectTo(urlAs(ordinary)), { CHANGE_LOG_DAYS: '90' });
      admin = await service.as('admin');
    });
    afterAll(() => service?.stop());
    const run = (statement: Sql): Promise<Record<string, unknown>[]> => service.database.db.query(statement);

    it.each(rows.map((row) => [row.path, row] as const))(
      'creates, changes, lists, deletes and restores %s',
      async (_, row) => {
        const maker = new Maker(admin, randomUUID());
        const { path } = await maker.record(row.path);
        const collection = path.slice(0, path.lastIndexOf('/'));
        const settable = Object.entries({ ...row.required, ...row.optional }).filter(
          ([field]) => !row.fixed?.includes(field),
        );
        const changed = Object.keys(row.optional).length > 0 ? row.optional : Object.fromEntries(settable);
        const entries = Object.keys(changed).length > 0 ? 3 : 2;
        expect((await admin.patch(path, await maker.values(changed))).status).toBe(200);
        expect((await admin.get(`${collection}?pageSize=1`)).status).toBe(200);
        expect((await admin.delete(path)).status).toBe(204);
        expect((await admin.get(`${path}/changes`)).body.total).toBe(entries);
        if (row.area !== 'admin' && `${row.path}/{id}/restore` in document.paths)
          expect((await admin.post(`${path}/restore`)).status).toBe(200);
      },
    );

    it('receives, assigns, reads the context of an incident, and logs in', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const order = await admin.make('/api/purchase-orders', {
        orderNumber: key['idempotency-key'],
        items: [{ name: 'A', quantity: 1 }],
      });
      const receipt = { items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }] };
      for (let round = 0; round < 2; round++)
        expect((await admin.post(`/api/purchase-orders/${order.id}/receive`, receipt, key)).status).toBe(200);
      const person = await admin.make('/api/people', { fullName: 'P' });
      const asset = await admin.make('/api/assets', { name: 'A' });
      expect((await admin.post(`/api/assets/${asset.id}/assign`, { personId: person.id })).status).toBe(200);
      expect((await admin.delete(`/api/people/${person.id}`)).status).toBe(204);
      const incident = await admin.make('/api/incidents', { name: 'I' });
      expect((await admin.get(`/api/incidents/${incident.id}/context`)).status).toBe(200);
      const login = { email: 'admin@example.com', password: 'not the password' };
      expect((await service.anonymous.post('/api/auth/login', login)).status).toBe(401);
      expect((await service.anonymous.post('/api/auth/login', { ...login, password: ADMIN_PASSWORD })).status).toBe(
        200,
      );
    });

    it('defines a transition, whose triggers the owner makes, and holds it', async () => {
      const { id } = await admin.make('/api/transitions', { resource: 'vendors', to: 'active' });
      expect((await admin.post('/api/vendors', { name: 'v', status: 'other' })).code).toBe('transition');
      const vendor = await admin.make('/api/vendors', { name: 'v', status: 'active' });
      const { digest } = (await admin.get(`/api/vendors/${vendor.id}/transitions`)).body;
      await admin.make(`/api/vendors/${vendor.id}/approvals`, { decision: 'approve', digest });
      expect((await admin.delete(`/api/transitions/${id}`)).status).toBe(204);
    });

    it('defines a custom field, for which the owner makes and ends a trigger', async () => {
      const isHeld = async (): Promise<unknown> =>
        (await run(sql`SELECT tgqual IS NULL AS "isHeld" FROM pg_trigger WHERE tgname = 'vendors_custom_new'`))[0]!
          .isHeld;
      const definition = { key: 'tier', type: 'text', resources: ['vendors'], default: 'gold' };
      const { id } = await admin.make('/api/custom-fields', definition);
      expect(await isHeld()).toBe(true);
      expect((await admin.make('/api/vendors', { name: 'v' })).customFields).toEqual({ tier: 'gold' });
      expect((await admin.delete(`/api/custom-fields/${id}?dropValues=true`)).status).toBe(204);
      await run(sql`SELECT rest_custom_fields()`);
      expect(await isHeld()).toBe(false);
    });

    it('runs its housekeeping', async () => {
      const owned = new Client({ connectionString: urlAs(owner) });
      await owned.connect();
      await owned.query(`INSERT INTO change_log (created_at, action, resource, record_id, actor, transaction_id)
        SELECT now() - interval '130 days', 'delete', 'sites', gen_random_uuid(), 'system', 1 FROM generate_series(1, 25)`);
      // One month has no partition, and one partition is older than the retention.
      const month = (ago: string): string => `(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '${ago}')`;
      await owned.query(`DO $$ BEGIN
        EXECUTE format('DROP TABLE %I', 'change_log_' || to_char(${month('2 months')}, 'YYYY_MM'));
        CREATE TABLE change_log_long_ago (LIKE change_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
        EXECUTE format('ALTER TABLE change_log ATTACH PARTITION change_log_long_ago FOR VALUES FROM (%L) TO (%L)',
          ${month('-12 months')} AT TIME ZONE 'UTC', ${month('-11 months')} AT TIME ZONE 'UTC'); END $$`);
      await owned.end();
      const partitions = async (): Promise<unknown[]> =>
        (await run(sql`SELECT name::text AS part FROM change_log_partitions() ORDER BY 1`)).map(({ part }) => part);
      const made = (await partitions()).filter((part) => part !== 'change_log_long_ago');
      await service.app.get(ChangeLogRetention).extend();
      expect((await partitions()).length).toBe(made.length + 2);
      await service.app.get(Sessions).prune();
      await service.app.get(LoginThrottling).prune();
      await pruneIdempotencyKeys(service.database.db);
      await service.app.get(ChangeLogRetention).prune();
      await service.app.get(RecordCounts).fold();
      expect(await partitions()).toEqual(expect.not.arrayContaining(['change_log_long_ago']));
      expect((await partitions()).length).toBe(made.length + 1);
      expect(await run(sql`SELECT 1 FROM change_log WHERE created_at < now() - interval '122 days'`)).toEqual([]);
      const [counted] = await run(sql`SELECT count(*)::int AS n FROM change_log`);
      expect((await admin.get('/api/change-log?pageSize=1')).body.total).toBe(counted!.n);
      expect(await run(sql`SELECT count(*)::int AS n FROM change_log_pruned`)).toEqual([{ n: 1 }]);
    });

    it.each([
      [
        'write an entry',
        `INSERT INTO change_log (action, resource, record_id, actor, transaction_id) VALUES ('create', 'sites', gen_random_uuid(), 'ada', 1)`,
      ],
      ['change an entry', `UPDATE change_log SET actor = 'ada'`],
      ['delete an entry', 'DELETE FROM change_log'],
      [
        'delete an entry in the way pruning does',
        `DO $$ BEGIN PERFORM set_config('inventory.pruning', 'on', true); DELETE FROM change_log; END $$`,
      ],
      ['empty the log', 'TRUNCATE change_log'],
      ['empty a table of records', 'TRUNCATE vrfs'],
      [
        'write an entry to a partition',
        `INSERT INTO change_log_default (action, resource, record_id, actor, transaction_id) VALUES ('create', 'sites', gen_random_uuid(), 'ada', 1)`,
      ],
      ['change an entry in its partition', `UPDATE change_log_default SET actor = 'ada'`],
      [
        'delete an entry from its partition in the way pruning does',
        `DO $$ BEGIN PERFORM set_config('inventory.pruning', 'on', true); DELETE FROM change_log_default; END $$`,
      ],
      ['empty a partition', 'TRUNCATE change_log_default'],
      ['detach a partition', 'ALTER TABLE change_log DETACH PARTITION change_log_default'],
      ['drop a partition', 'DROP TABLE change_log_default'],
      ['drop the last month', 'SELECT drop_change_log_month(now())'],
      ['prune the last day', 'SELECT prune_change_log(now(), 10)'],
      ['change the record of how far the log was pruned', `INSERT INTO change_log_pruned (until) VALUES (now())`],
      ['switch the log off', 'ALTER TABLE vrfs DISABLE TRIGGER vrfs_update'],
      ['drop a trigger', 'DROP TRIGGER change_log_keep ON change_log'],
      ['switch triggers off', `SET session_replication_role = replica`],
      [
        'log changes of a table of its own',
        `DO $$ BEGIN CREATE TEMP TABLE sites_forged (id uuid, updated_at timestamptz, name text);
        CREATE TRIGGER forge AFTER INSERT ON sites_forged REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sites_insert(); END $$`,
      ],
      [
        'create a function that shadows one of ours',
        `CREATE FUNCTION public.withhold(record jsonb, secrets varchar[]) RETURNS jsonb LANGUAGE sql AS 'SELECT $1'`,
      ],
      ['record a migration as applied', `INSERT INTO migrations (timestamp, name) VALUES (1, 'x')`],
    ])('cannot %s', async (_, statement) => {
      await expect(run(raw(statement))).rejects.toMatchObject({ code: '42501' });
    });

    it('cannot change the id of a record, nor date an entry back or ahead', async () => {
      const { id } = await admin.make('/api/vrfs', { name: 'V' });
      await expect(run(sql`UPDATE vrfs SET id = gen_random_uuid() WHERE id = ${id}`)).rejects.toMatchObject({
        code: '42501',
      });
      await run(sql`UPDATE vrfs SET name = 'W', updated_at = '2020-01-01' WHERE id = ${id}`);
      await run(sql`UPDATE vrfs SET name = 'X', updated_at = '2999-01-01' WHERE id = ${id}`);
      const [past] = await run(
        sql`INSERT INTO vrfs (name, created_at, updated_at) VALUES ('P', '2020-01-01', '2020-01-01') RETURNING id`,
      );
      const [ahead] = await run(sql`INSERT INTO vrfs (name, updated_at) VALUES ('A', '2999-01-01') RETURNING id`);
      const entries = await run(
        sql`SELECT created_at BETWEEN now() - interval '1 minute' AND now() AS recent FROM change_log WHERE record_id = ANY(${[id, past!.id, ahead!.id]})`,
      );
      expect(entries).toEqual(Array.from({ length: 5 }, () => ({ recent: true })));
    });
  });
});
