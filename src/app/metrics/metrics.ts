import type { Server } from 'node:http';
import { promisify } from 'node:util';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FeedReaders } from '../../change-log/feed/feed-readers.js';
import type { Database } from '../../database/database.js';
import type { FairQueue } from '../../http/fair-queue.js';
import type { BodySpace } from '../../http/body-space.js';
import { BLOCK, type SpoolFile } from '../../http/spool/spool-file.js';
import type { DatabaseReadings, Readings } from './database-readings.js';

/** The subjects of the metrics. */
export interface Measured {
  db: Database;
  readings: DatabaseReadings;
  bodies: BodySpace;
  spool: SpoolFile;
  readers: FeedReaders;
  /** Queues of requests by their names. */
  queues: Readonly<Record<string, FairQueue>>;
  build: { version: string; commit?: string };
}

/** Bounds in seconds. There are few, because each is a series per operation. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);
/** The route of all unknown paths, so that clients cannot create series. */
const UNKNOWN = 'unknown';

const LOGIN = '/api/auth/login';
const SIGN_IN = '/api/auth/oidc/callback';

/** The name of the token of a request; empty without one. */
const tokenOf = ({ caller }: FastifyRequest): string =>
  caller?.credential.kind === 'token' ? caller.credential.name : '';

type Sample = readonly [value: number | undefined, ...labels: string[]];

/** The metrics of one process, in the format of Prometheus. */
export class Metrics {
  private readonly registry = new Registry();
  private readings: Readings = { isUp: false };
  private rendering?: Promise<string>;

  constructor(private readonly measured: Measured) {
    collectDefaultMetrics({ register: this.registry });
    this.addService();
    this.addHeld();
    this.addDatabase();
    this.addEvents();
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics. Scrapes at the same time get the same text, which is made once. */
  text(): Promise<string> {
    return (this.rendering ??= this.render().finally(() => (this.rendering = undefined)));
  }

  /** Counts every request that is answered from now on. */
  watch(fastify: FastifyInstance): void {
    const registers = [this.registry];
    const durations = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Seconds from the headers of a request to the end of its response, by route and method',
      labelNames: ['method', 'route'],
      buckets: BUCKETS,
      registers,
    });
    const requests = new Counter({
      name: 'http_server_requests_total',
      help: 'Responses by route, method and status',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    const throttled = new Counter({
      name: 'inventory_throttled_requests_total',
      help: 'Requests refused with 429 because of too many requests of a caller, an account or an address',
      registers,
    });
    const logins = new Counter({
      name: 'inventory_failed_logins_total',
      help: 'Logins with a wrong email or password, and sign-ins that did not succeed',
      labelNames: ['way'],
      registers,
    });
    const deprecated = new Counter({
      name: 'inventory_deprecated_requests_total',
      help: 'Requests of what is deprecated, by route, method, parameter or property, which is empty for the operation, and name of the token, which is empty for sessions',
      labelNames: ['method', 'route', 'part', 'token'],
      registers,
    });
    // If a series started with its first failure, `increase` would not show that failure.
    for (const way of ['password', 'single_sign_on']) logins.inc({ way }, 0);
    fastify.addHook('onResponse', (request, reply, done) => {
      const { url: route = UNKNOWN, config } = request.routeOptions;
      const method = METHODS.has(request.method) ? request.method : 'other';
      const { statusCode: status } = reply;
      durations.observe({ method, route }, reply.elapsedTime / 1000);
      requests.inc({ method, route, status });
      const parts = [...(config.deprecated ? [''] : []), ...(request.deprecatedUses ?? []).map(({ name }) => name)];
      for (const part of parts) deprecated.inc({ method, route, part, token: tokenOf(request) });
      if (status === 429) throttled.inc();
      else if (route === LOGIN && status === 401) logins.inc({ way: 'password' });
      else if (route === SIGN_IN && status >= 400 && status < 500) logins.inc({ way: 'single_sign_on' });
      done();
    });
    this.addConnections(fastify.server);
  }

  private async render(): Promise<string> {
    this.readings = await this.measured.readings.current();
    return this.registry.metrics();
  }

  /** @param read a value for each set of labels; unknown ones are left out */
  private gauge(name: string, help: string, labelNames: string[], read: () => Sample[] | Promise<Sample[]>): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [],
      async collect() {
        const samples = await read();
        this.reset();
        // Without labels, a reset leaves a zero instead of no value.
        if (labelNames.length === 0) this.remove();
        for (const [value, ...labels] of samples) if (value !== undefined) this.labels(...labels).set(value);
      },
    });
    this.registry.registerMetric(gauge);
  }

  private addService(): void {
    const { version, commit = 'unknown' } = this.measured.build;
    const labels = ['version', 'commit', 'node'];
    this.gauge('inventory_build_info', 'Always 1; the labels say what runs', labels, () => [
      [1, version, commit, process.version],
    ]);
  }

  private addConnections(server: Server): void {
    const count = promisify(server.getConnections.bind(server));
    this.gauge('http_server_connections', 'Open connections of clients', [], async () => [[await count()]]);
  }

  /** Resources held for clients, and their queues. */
  private addHeld(): void {
    const { bodies, spool, readers, queues } = this.measured;
    this.gauge('inventory_held_bytes', 'Bytes held for requests, by kind', ['kind'], () => [
      [bodies.used, 'bodies'],
      [spool.used * BLOCK, 'spool'],
    ]);
    this.gauge(
      'inventory_held_bytes_limit',
      'Limit of held bytes; requests beyond it are refused with 503',
      ['kind'],
      () => [
        [bodies.limit, 'bodies'],
        [spool.most * BLOCK, 'spool'],
      ],
    );
    this.gauge('inventory_queue_active', 'Requests that a queue has let in', ['queue'], () =>
      Object.entries(queues).map(([name, { active }]) => [active, name]),
    );
    this.gauge('inventory_queue_waiting', 'Requests that wait in a queue', ['queue'], () => [
      ...Object.entries(queues).map(([name, { pending }]): Sample => [pending, name]),
      [spool.pending, 'spool'],
    ]);
    this.gauge('inventory_feed_readers', 'Open streams of changes, and requests that wait for a change', [], () => [
      [readers.count],
    ]);
  }

  private addDatabase(): void {
    const { db } = this.measured;
    const { pool } = db;
    this.gauge('inventory_database_up', '1 if the database answered this scrape within a second', [], () => [
      [Number(this.readings.isUp)],
    ]);
    this.gauge('inventory_pool_connections', 'Connections of the pool by state', ['state'], () => [
      [pool.idleCount, 'idle'],
      [pool.totalCount - pool.idleCount, 'used'],
    ]);
    this.gauge('inventory_pool_size', 'Maximum number of connections', [], () => [[db.size]]);
    this.gauge('inventory_pool_waiting', 'Statements that wait for a connection', [], () => [[pool.waitingCount]]);
    this.gauge('inventory_migrations', 'Migrations by state', ['state'], () => {
      const { applied, pending, unknown } = this.readings.migrations ?? {};
      return [
        [applied, 'applied'],
        [pending, 'pending'],
        [unknown, 'unknown'],
      ];
    });
    this.gauge('inventory_replicas', 'Servers that replicate the database', [], () => [
      [this.readings.replicas?.count],
    ]);
    const labels = ['replica', 'state'];
    const replicas = () => this.readings.replicas?.visible ?? [];
    this.gauge('inventory_replica_lag_bytes', 'WAL that a replica has not applied', labels, () =>
      replicas().map(({ name, state, bytes }) => [bytes, name, state]),
    );
    this.gauge('inventory_replica_lag_seconds', 'Time by which a replica is behind', labels, () =>
      replicas().map(({ name, state, seconds, bytes }) => [seconds ?? (bytes === 0 ? 0 : undefined), name, state]),
    );
  }

  private addEvents(): void {
    const lag = () => this.readings.webhooks;
    this.gauge(
      'inventory_feed_delay_seconds',
      'Time for which the next entry of the feed has waited for a transaction that is still open',
      [],
      () => [[this.readings.feedDelay]],
    );
    this.gauge('inventory_webhooks', 'Webhooks by state', ['state'], () => [
      [lag()?.working, 'working'],
      [lag()?.failing, 'failing'],
      [lag()?.inactive, 'inactive'],
      [lag()?.deactivated, 'deactivated'],
    ]);
    this.gauge('inventory_webhook_deliveries_waiting', 'Deliveries that wait, at most 100,000 are counted', [], () => [
      [lag()?.pending],
    ]);
    this.gauge('inventory_webhook_oldest_seconds', 'Age of the oldest delivery that waits', [], () => [
      [lag()?.oldestSeconds],
    ]);
    this.gauge(
      'inventory_webhook_due_seconds',
      'Time for which the oldest due delivery has not been attempted',
      [],
      () => [[lag()?.dueSeconds]],
    );
    this.gauge(
      'inventory_webhook_queue_seconds',
      'Time for which a change has waited to be queued for webhooks',
      [],
      () => [[lag()?.queueSeconds]],
    );
  }
}
