import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { createApp } from '../../src/app/app.setup.js';
import type { Area, Role } from '../../src/access/access.js';
import { Clock } from '../../src/auth/clock.js';
import { openSession } from '../../src/auth/open-session.js';
import { Sessions } from '../../src/auth/session/sessions.js';
import { loadConfiguration } from '../../src/config/configuration.js';
import { SecretBox } from '../../src/records/secret-box.js';
import { createClient } from '../../sdk/typescript/index.js';
import { assertDocumented } from './documented.js';
import { createTestDatabase, type TestDatabase } from './database.js';

/** A clock that a test can move, and stop. */
export class TestClock extends Clock {
  offset = 0;
  private stoppedAt?: number;
  override now(): Date {
    return new Date((this.stoppedAt ?? Date.now()) + this.offset);
  }
  /** Only `advance` moves it from now on: nothing passes by itself, however busy the machine is. */
  stop(): void {
    this.stoppedAt ??= Date.now();
  }
  /** @param minutes from now on, added to the time */
  advance(minutes: number): void {
    this.offset += minutes * 60_000;
  }
}

/** An answer of the service, read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined when there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
  body: any;
}

export type HeaderMap = Record<string, string>;

/** Text of the answers to the SDK's requests, which itself gives what it made of them. */
const texts = new WeakMap<Response, Promise<string>>();

/**
 * A client of the service, with or without a session: the SDK's own, so that what breaks that breaks tests; with the
 * freedom to ask for what its types forbid.
 */
export class Api {
  constructor(
    readonly url: string,
    readonly cookie?: string,
  ) {}

  async request(method: string, path: string, body?: unknown, headers: HeaderMap = {}): Promise<Answer> {
    // One for each request, as it would keep the session of a login.
    const client = createClient({ baseUrl: this.url, session: this.cookie, redirect: 'manual' });
    client.use({ onResponse: ({ response }) => void texts.set(response, response.clone().text()) });
    const { response } = (await client.request(
      method as never,
      path as never,
      {
        headers,
        body,
        // Pages and the like are no JSON.
        parseAs: 'text',
        bodySerializer: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
      } as never,
    )) as { response: Response };
    const text = await texts.get(response)!;
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    const parsed = isJson ? JSON.parse(text) : undefined;
    // Every answer that any test gets is held against the document.
    if (method !== 'HEAD') assertDocumented(method, path, response.status, response.headers, parsed);
    return { status: response.status, headers: response.headers, text, body: parsed };
  }

  get = (path: string, headers?: HeaderMap): Promise<Answer> => this.request('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers?: HeaderMap): Promise<Answer> =>
    this.request('POST', path, body, headers);
  patch = (path: string, body: unknown, headers?: HeaderMap): Promise<Answer> =>
    this.request('PATCH', path, body, headers);
  delete = (path: string, headers?: HeaderMap): Promise<Answer> => this.request('DELETE', path, undefined, headers);

  /** Creates a record; its `data`. Fails with the service's own words. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
  async make(path: string, body: unknown): Promise<any> {
    const answer = await this.post(path, body);
    if (answer.status !== 201) throw new Error(`POST ${path} gave ${answer.status}: ${answer.text}`);
    return answer.body.data;
  }
}

/** The service, listening on a port of its own with a database of its own. */
export interface TestService {
  app: NestFastifyApplication;
  database: TestDatabase;
  clock: TestClock;
  url: string;
  /** Without a session. */
  anonymous: Api;
  /** A new profile of this role and these areas (all four when not given), logged in. */
  as(role: Role, areas?: Area[]): Promise<Api>;
  stop(): Promise<void>;
}

/**
 * @param extra modules besides the service's own
 * @param logger takes the log, which is silent otherwise
 * @param stallTimeout milliseconds after which clients that read nothing are cut off
 */
export async function startService(
  environment: Record<string, string> = {},
  extra: Type[] = [],
  logger?: Logger,
  stallTimeout?: number,
): Promise<TestService> {
  return startServiceOn(await createTestDatabase(), environment, extra, logger, stallTimeout);
}

/** The same on a database that another service uses too, or has used. */
export async function startServiceOn(
  database: TestDatabase,
  environment: Record<string, string> = {},
  extra: Type[] = [],
  logger?: Logger,
  stallTimeout?: number,
): Promise<TestService> {
  const clock = new TestClock();
  const configuration = loadConfiguration({ LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent', ...environment });
  const app = await createApp({
    configuration,
    db: database.db,
    secrets: new SecretBox('a key that only the tests use, 32+'),
    clock,
    extra,
    logger,
    stallTimeout,
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    app,
    database,
    clock,
    url,
    anonymous: new Api(url),
    async as(role, areas) {
      const email = `${role}-${randomUUID()}@example.com`;
      return new Api(url, await openSession(database.db, app.get(Sessions), { email, role, areas }));
    },
    async stop() {
      app.getHttpServer().closeAllConnections();
      await app.close();
      await database.drop();
    },
  };
}
