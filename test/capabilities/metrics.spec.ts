import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { startService, startServiceOn, type TestService } from '../support/app.js';
import { itInFull } from '../support/size.js';
import { connectTo, createTestDatabase } from '../support/database.js';
import { samplesOf } from '../support/metrics.js';
import { scansDuring } from '../support/scans.js';
import { describeWith, freePort, run } from '../support/tools.js';
import { until } from '../support/until.js';
import { raw, sql } from '../../src/database/sql.js';

const TOKEN = randomBytes(32).toString('hex');
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface Scraped {
  status: number;
  headers: Headers;
  text: string;
  samples: Map<string, number>;
}

async function scrape(url: string, headers: Record<string, string> = bearer(TOKEN)): Promise<Scraped> {
  const response = await fetch(`${url}/metrics`, { headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, samples: samplesOf(text) };
}

/** Names of the metrics of a scrape, without the suffixes of histograms. */
const metricsOf = ({ text }: Scraped): string[] => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);

/**
 * Scrapes until a sample has the wanted value. Values from the database are cached for five seconds, and a busy database may not answer in
 * time.
 */
const scrapeUntil = (url: string, name: string, wanted: (value: number) => boolean): Promise<Scraped> =>
  until(
    () => scrape(url),
    ({ samples }) => wanted(samples.get(name)!),
  );

/** A scrape that includes the values from the database. */
const scrapeUp = (url: string): Promise<Scraped> => scrapeUntil(url, 'inventory_database_up', (value) => value === 1);

describe('without a token and a port', () => {
  let service: TestService;
  beforeAll(async () => (service = await startService()));
  afterAll(() => service.stop());

  it('does not exist', async () => {
    const { status, text } = await scrape(service.url);
    expect([status, JSON.parse(text)]).toEqual([404, { error: 'No such path: /metrics', code: 'not_found' }]);
  });
});

describe('with a token', () => {
  let service: TestService;
  beforeAll(async () => (service = await startService({ METRICS_TOKEN: TOKEN, BUILD_COMMIT: '386c22e' })));
  afterAll(() => service.stop());

  it.each([
    ['no header', {}],
    ['another token', bearer(randomBytes(32).toString('hex'))],
    ['the beginning of the token', bearer(TOKEN.slice(0, -1))],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['an empty one', { authorization: 'Bearer ' }],
  ])('refuses %s', async (_what, headers) => {
    const { status, headers: given, text } = await scrape(service.url, headers as Record<string, string>);
    expect([status, given.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(JSON.parse(text)).toEqual({ error: expect.stringContaining('METRICS_TOKEN'), code: 'unauthenticated' });
  });

  it('is no token of the API, nor the other way round', async () => {
    const admin = await service.as('admin');
    const { token } = await admin.make('/api/tokens', { name: 'script' });
    expect((await scrape(service.url, bearer(token as string))).status).toBe(401);
    expect((await fetch(`${service.url}/api/people`, { headers: bearer(TOKEN) })).status).toBe(401);
  });

  it('responds in the format of Prometheus and kept by no cache', async () => {
    const { status, headers } = await scrape(service.url);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
    const post = await fetch(`${service.url}/metrics`, { method: 'POST', headers: bearer(TOKEN) });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('counts requests by route, method and status', async () => {
    const admin = await service.as('admin');
    const site = await admin.make('/api/sites', { name: 'Amsterdam' });
    for (let i = 0; i < 3; i++) await admin.get(`/api/sites/${site.id}`);
    await admin.get('/api/sites/11111111-1111-4111-8111-111111111111');
    const { samples } = await scrape(service.url);
    const requests = (route: string, method: string, status: number): number | undefined =>
      samples.get(`http_server_requests_total{method="${method}",route="${route}",status="${status}"}`);
    expect([
      requests('/api/sites', 'POST', 201),
      requests('/api/sites/:id', 'GET', 200),
      requests('/api/sites/:id', 'GET', 404),
    ]).toEqual([1, 3, 1]);
    const ofRoute = '{method="GET",route="/api/sites/:id"}';
    expect(samples.get(`http_server_request_duration_seconds_count${ofRoute}`)).toBe(4);
    expect(samples.get(`http_server_request_duration_seconds_sum${ofRoute}`)).toBeGreaterThan(0);
  });

  it('makes no series of what clients make up', async () => {
    const before = await scrape(service.url);
    for (let i = 0; i < 20; i++) {
      await fetch(`${service.url}/nothing-${i}`);
      await fetch(`${service.url}/calendar/${randomBytes(33).toString('base64url')}.ics`);
      await fetch(`${service.url}/openapi.json`, { method: ['TRACE', 'PUT', 'QUERY'][i % 2 ? 1 : 2] });
    }
    await fetch(`${service.url}/%zz`);
    const { text, samples } = await scrape(service.url);
    expect(text).not.toContain('nothing-');
    expect(samples.get('http_server_requests_total{method="GET",route="unknown",status="404"}')).toBe(20);
    const fresh = [...samples.keys()].filter((name) => name.startsWith('http_') && !before.samples.has(name));
    const series = new Set(fresh.map((name) => /\{(?:le="[^"]*",)?(.*)\}/.exec(name)![1]));
    expect([...series].toSorted()).toEqual(
      expect.arrayContaining(['method="GET",route="/calendar/:secret.ics"', 'method="GET",route="unknown"']),
    );
    // Two routes and two refusals; nothing else.
    expect(series.size).toBeLessThanOrEqual(8);
  });

  it('shows the pool, what is held, the event loop, garbage collection, the process and the build', async () => {
    const scraped = await scrapeUp(service.url);
    expect(metricsOf(scraped)).toEqual(
      expect.arrayContaining([
        'http_server_connections',
        'inventory_build_info',
        'inventory_database_up',
        'inventory_deprecated_requests_total',
        'inventory_failed_logins_total',
        'inventory_feed_delay_seconds',
        'inventory_feed_readers',
        'inventory_held_bytes',
        'inventory_held_bytes_limit',
        'inventory_migrations',
        'inventory_pool_connections',
        'inventory_pool_size',
        'inventory_pool_waiting',
        'inventory_queue_waiting',
        'inventory_replicas',
        'inventory_throttled_requests_total',
        'inventory_webhooks',
        'nodejs_eventloop_lag_p99_seconds',
        'nodejs_gc_duration_seconds',
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
      ]),
    );
    const { samples } = scraped;
    const build = [...samples.keys()].find((name) => name.startsWith('inventory_build_info'));
    expect(build).toMatch(/\{version="\d+\.\d+\.\d+",commit="386c22e",node="v\d+\.\d+\.\d+"\}/);
    expect(samples.get('inventory_pool_size')).toBe(service.database.db.size);
    const [idle, used] = ['idle', 'used'].map((state) => samples.get(`inventory_pool_connections{state="${state}"}`)!);
    expect(idle! + used!).toBeGreaterThanOrEqual(1);
    expect(samples.get('inventory_held_bytes_limit{kind="bodies"}')).toBe(64 * 1024 * 1024);
    expect(samples.get('inventory_queue_waiting{queue="long_lists"}')).toBe(0);
    expect(samples.get('inventory_replicas')).toBeGreaterThanOrEqual(0);
    expect(samples.get('inventory_feed_delay_seconds')).toBeGreaterThanOrEqual(0);
    expect(samples.get('inventory_migrations{state="pending"}')).toBe(0);
    expect(samples.get('inventory_migrations{state="applied"}')).toBeGreaterThan(0);
  });

  it('counts failed logins and throttled requests', async () => {
    const name = 'inventory_failed_logins_total{way="password"}';
    const before = (await scrape(service.url)).samples.get(name)!;
    const login = () =>
      service.anonymous.post('/api/auth/login', { email: 'nobody@example.com', password: 'x'.repeat(12) });
    for (let i = 0; i < 11; i++) await login();
    const { samples } = await scrape(service.url);
    expect(samples.get(name)! - before).toBe(10);
    expect(samples.get('inventory_throttled_requests_total')).toBe(1);
  });

  itInFull('shows how far webhooks are behind, and which fail', async () => {
    const { db } = service.database;
    const [webhook] = await db.query<{ id: string }>(
      sql`INSERT INTO webhooks (name, url, secret) VALUES ('chat', 'https://hooks.example.com', 'x') RETURNING id`,
    );
    await db.query(
      sql`INSERT INTO webhook_states (webhook_id, since_id, since_at, failing_since)
       VALUES (${webhook!.id}, '00000000-0000-0000-0000-000000000000', now(), now())`,
    );
    for (const age of [100, 50, -3600]) {
      await db.query(
        sql`INSERT INTO webhook_deliveries (webhook_id, event_id, type, record_id, created_at, next_attempt_at)
         VALUES (${webhook!.id}, 'evt', 'sites.create', gen_random_uuid(), now() - interval '200 s', now() - ${age} * interval '1 s')`,
      );
    }
    const { samples } = await scrapeUntil(service.url, 'inventory_webhook_deliveries_waiting', (value) => value === 3);
    expect(samples.get('inventory_webhook_oldest_seconds')).toBeGreaterThanOrEqual(200);
    expect(samples.get('inventory_webhook_due_seconds')).toBeGreaterThanOrEqual(100);
    expect(samples.get('inventory_webhook_due_seconds')).toBeLessThan(200);
    expect(samples.get('inventory_webhooks{state="failing"}')).toBe(1);
    // The queue has deliveries up to an entry, and the next entry waits.
    const admin = await service.as('admin');
    const [first] = [
      await admin.make('/api/sites', { name: 'first' }),
      await admin.make('/api/sites', { name: 'next' }),
    ];
    await db.query(
      sql`INSERT INTO settings (name, value) SELECT 'webhooks.cursor', (extract(epoch FROM created_at) * 1000000)::bigint || ' ' || id
       FROM change_log WHERE record_id = ${first.id}`,
    );
    await setTimeout(1100);
    const behind = await scrapeUntil(service.url, 'inventory_webhook_queue_seconds', (value) => value > 0);
    expect(behind.samples.get('inventory_webhook_queue_seconds')).toBeGreaterThan(1);
    await db.query(sql`UPDATE webhooks SET is_active = false`);
    const inactive = await scrapeUntil(service.url, 'inventory_webhooks{state="inactive"}', (value) => value === 1);
    expect(inactive.samples.get('inventory_webhook_queue_seconds')).toBe(0);
    await db.query(sql`DELETE FROM webhooks`);
  });

  itInFull('responds alike to scrapes at the same time, and reads the database once for them', async () => {
    // Counts the reads of a table that only scrapes read, after the cached values have expired.
    const reads = async (scrapes: number): Promise<number> => {
      await setTimeout(5_100);
      return scansDuring(service.database, ['migrations'], async () => {
        const all = await Promise.all(Array.from({ length: scrapes }, () => scrape(service.url)));
        expect(all.every(({ status }) => status === 200)).toBe(true);
        // Waits until the database has answered.
        await scrapeUp(service.url);
      });
    };
    expect(await reads(1)).toBe(1);
    expect(await reads(20)).toBe(1);
  });

  describeWith('promtool')('promtool', () => {
    it('finds no fault with the names, types and help texts', async () => {
      const { text } = await scrape(service.url);
      const own = text.split('\n\n').filter((metric) => /^# HELP (?:inventory|http)_/m.test(metric));
      expect(own.length).toBeGreaterThan(20);
      const { spawnSync } = await import('node:child_process');
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input: `${own.join('\n\n')}\n`,
        encoding: 'utf8',
      });
      expect([status, stdout + stderr]).toEqual([0, '']);
      expect(await run('promtool', ['--version'])).toContain('promtool');
    });
  });
});

describe('on a port of their own', () => {
  let service: TestService;
  let port: number;
  let url: string;
  beforeAll(async () => {
    port = await freePort();
    service = await startService({ METRICS_PORT: String(port) });
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => service.stop());

  it('needs no token, and is not on the port of the API', async () => {
    await service.anonymous.get('/health/live');
    const { status, headers, samples } = await scrape(url, {});
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(samples.get('http_server_requests_total{method="GET",route="/health/live",status="200"}')).toBe(1);
    expect((await scrape(service.url)).status).toBe(404);
  });

  it('serves nothing else', async () => {
    for (const path of ['/', '/api/people', '/health/live', '/metrics/x', '/docs']) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    }
    const post = await fetch(`${url}/metrics`, { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${url}/metrics`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const { headers } of [post, head, await fetch(url)]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('names the setting if its port is taken', async () => {
    await expect(startServiceOn(service.database, { METRICS_PORT: String(port) })).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is in use. Set METRICS_PORT to a free one`,
    );
  });

  it('asks for the token if there is one', async () => {
    const other = await freePort();
    const { app } = await startServiceOn(service.database, { METRICS_PORT: String(other), METRICS_TOKEN: TOKEN });
    const at = `http://127.0.0.1:${other}`;
    expect([(await scrape(at, {})).status, (await scrape(at)).status]).toEqual([401, 200]);
    await app.close();
    await expect(scrape(at)).rejects.toThrow('fetch failed');
  });

  it('admits a limited number of connections', async () => {
    const sockets: Socket[] = [];
    const opened = await Promise.all(
      Array.from(
        { length: 64 },
        () =>
          new Promise<boolean>((resolve) => {
            const socket = connect(port, '127.0.0.1', () => socket.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'));
            sockets.push(socket);
            socket.once('data', () => resolve(true));
            socket.on('error', () => resolve(false));
            socket.on('close', () => resolve(false));
          }),
      ),
    );
    for (const socket of sockets) socket.destroy();
    const admitted = opened.filter(Boolean).length;
    expect([admitted > 0, admitted < 64]).toEqual([true, true]);
    expect((await service.anonymous.get('/health/live')).status).toBe(200);
  });
});

itInFull('shows the metrics of the process while the database is away', async () => {
  const database = await createTestDatabase();
  const service = await startServiceOn(database, { METRICS_TOKEN: TOKEN });
  const { db } = database;
  const query = jest.spyOn(db, 'query');
  try {
    await scrapeUp(service.url);
    // First the database does not answer, then the connection is refused.
    for (const away of [() => new Promise<never>(() => {}), () => Promise.reject(new Error('ECONNREFUSED'))]) {
      query.mockImplementation(away);
      const { status, samples } = await scrapeUntil(service.url, 'inventory_database_up', (value) => value === 0);
      expect([status, samples.get('inventory_database_up'), samples.get('inventory_pool_size')]).toEqual([
        200,
        0,
        db.size,
      ]);
      expect(samples.has('inventory_pool_waiting')).toBe(true);
      expect(samples.has('inventory_feed_delay_seconds')).toBe(false);
    }
  } finally {
    query.mockRestore();
    await service.stop();
  }
});

itInFull('tells how far replicas are behind as far as its role may see it', async () => {
  const database = await createTestDatabase();
  const { db, url } = database;
  // This view replaces that of the server, which has no standbys. PostgreSQL searches this schema first.
  await db.query(sql`CREATE SCHEMA instead`);
  await db.query(
    sql`CREATE VIEW instead.pg_stat_replication AS SELECT * FROM (VALUES
       (1, 'standby-1', 'streaming', interval '1.5 s', pg_current_wal_lsn() - 4096),
       (2, 'standby-2', 'streaming', NULL, pg_current_wal_lsn() + 1048576),
       (3, NULL, NULL, NULL, NULL)) AS known (pid, application_name, state, replay_lag, replay_lsn)`,
  );
  const path = 'instead, pg_catalog, public';
  if (url === undefined) await db.query(sql`SET search_path = ${raw(path)}`);
  else await db.query(sql`ALTER DATABASE ${raw(new URL(url).pathname.slice(1))} SET search_path = ${raw(path)}`);
  const connected = url === undefined ? database : await connectTo(url);
  const service = await startServiceOn(connected, { METRICS_TOKEN: TOKEN });
  const { samples } = await scrapeUp(service.url);
  expect(samples.get('inventory_replicas')).toBe(3);
  // Meanwhile the server continues to write.
  const lag = samples.get('inventory_replica_lag_bytes{replica="standby-1",state="streaming"}');
  expect([lag! >= 4096, lag! < 1048576]).toEqual([true, true]);
  expect(samples.get('inventory_replica_lag_bytes{replica="standby-2",state="streaming"}')).toBe(0);
  expect(samples.get('inventory_replica_lag_seconds{replica="standby-1",state="streaming"}')).toBe(1.5);
  expect(samples.get('inventory_replica_lag_seconds{replica="standby-2",state="streaming"}')).toBe(0);
  expect([...samples.keys()].filter((name) => name.startsWith('inventory_replica_lag_bytes'))).toHaveLength(2);
  await service.stop();
  if (connected !== database) await database.drop();
});
