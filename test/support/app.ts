import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { createLogger } from '../../src/http/server/logger.js';
import { createApp } from '../../src/app/app.setup.js';
import { ERRORS, FAULT_CODES } from '../../src/http/errors.js';
import { Clock } from '../../src/auth/credential/clock.js';
import { AREAS, type Area, type Role } from '../../src/access/access.js';
import { openSession } from '../../src/auth/open-session.js';
import { Sessions } from '../../src/auth/session/sessions.js';
import { loadConfiguration } from '../../src/config/configuration.js';
import { Secrets } from '../../src/access/secrets.js';
import type { ServiceDataSource } from '../../src/database/data-source.js';
import { createClient } from '../../sdk/typescript/index.js';
import { assertDocumented } from './documented.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { plainFetch, PlainRequest, type PlainResponse } from './plain-fetch.js';
import { sql } from '../../src/database/sql.js';

/** A clock that a test can advance and stop. */
export class TestClock extends Clock {
  offset = 0;
  private stoppedAt?: number;
  override now(): Date {
    return new Date((this.stoppedAt ?? Date.now()) + this.offset);
  }
  /** From now on only `advance` moves the clock, however slow the machine is. */
  stop(): void {
    this.stoppedAt ??= Date.now();
  }
  /** @param minutes added to the current time */
  advance(minutes: number): void {
    this.offset += minutes * 60_000;
  }
}

/** A complete response of the service. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined if there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
  body: any;
  /** The code of a refusal, and those of its faults, which `body` does not have. */
  code?: string;
  faultCodes?: (string | undefined)[];
}

export type HeaderMap = Record<string, string>;

/**
 * Removes the codes from the body of a refusal, so that tests can compare sentences. A refusal must have a code of its status, and each
 * fault a known code.
 */
function codesOf(status: number, body?: { code?: string; details?: { code?: string }[] }): Partial<Answer> {
  if (status < 400 || body === undefined) return {};
  const { code, details } = body;
  const known = ERRORS[code as keyof typeof ERRORS] as { status: number } | undefined;
  if (known?.status !== status) throw new Error(`A response with status ${status} has the code ${code}`);
  delete body.code;
  const faultCodes = details?.map((fault) => {
    const { code: given } = fault;
    if (!(FAULT_CODES as readonly unknown[]).includes(given)) throw new Error(`A fault has the code ${given}`);
    delete fault.code;
    return given;
  });
  return { code, faultCodes };
}

/**
 * A client of the service, with or without a session. It uses the SDK, so that faults of the SDK fail tests, but without the
 * restrictions of its types.
 */
export class Api {
  constructor(
    readonly url: string,
    readonly cookie?: string,
    readonly token?: string,
    /** Whether its responses are checked against the document of this version. */
    private readonly isChecked = true,
  ) {}

  async request(method: string, path: string, body?: unknown, headers: HeaderMap = {}): Promise<Answer> {
    // A new client per request, because a client keeps the session of a login.
    const client = createClient({
      baseUrl: this.url,
      session: this.cookie,
      token: this.token,
      Request: PlainRequest as never,
      fetch: plainFetch as never,
    });
    const { response } = (await client.request(
      method as never,
      path as never,
      {
        headers,
        body,
        // HTML pages, for example, are not JSON.
        parseAs: 'text',
        bodySerializer: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
      } as never,
    )) as unknown as { response: PlainResponse };
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    const parsed = isJson ? JSON.parse(text) : undefined;
    const answer = { status: response.status, headers: response.headers, text, body: parsed };
    if (!this.isChecked) return answer;
    // Every response to any test is checked against the document.
    if (method !== 'HEAD') assertDocumented(method, path, response.status, response.headers, parsed);
    return { ...answer, ...codesOf(response.status, parsed) };
  }

  get = (path: string, headers?: HeaderMap): Promise<Answer> => this.request('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers?: HeaderMap): Promise<Answer> =>
    this.request('POST', path, body, headers);
  patch = (path: string, body: unknown, headers?: HeaderMap): Promise<Answer> =>
    this.request('PATCH', path, body, headers);
  delete = (path: string, headers?: HeaderMap): Promise<Answer> => this.request('DELETE', path, undefined, headers);

  /** Creates a record and returns its `data`. Fails with the service's error sentence. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
  async make(path: string, body: unknown): Promise<any> {
    const answer = await this.post(path, body);
    if (answer.status !== 201) throw new Error(`POST ${path} gave ${answer.status}: ${answer.text}`);
    return answer.body.data;
  }
}

/** The hash of no password. Hashing one for each profile would take longer than most tests. */
const NOBODYS = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** The service, listening on its own port with its own database. */
export interface TestService {
  app: NestFastifyApplication;
  database: TestDatabase;
  clock: TestClock;
  url: string;
  /** Without a session. */
  anonymous: Api;
  /** A new profile of this role and these areas (all four by default), logged in. */
  as(role: Role, areas?: Area[]): Promise<Api>;
  /** Another service on its database, with other settings or another log. It starts in half the time. */
  beside(environment: Record<string, string>, extra?: Type[], logger?: Logger): Promise<TestService>;
  stop(): Promise<void>;
}

/**
 * @param extra additional modules
 * @param logger receives the log. Otherwise its errors are shown
 * @param stallTimeout milliseconds after which clients that read nothing are disconnected
 */
export async function startService(
  environment: Record<string, string> = {},
  extra: Type[] = [],
  logger?: Logger,
  stallTimeout?: number,
): Promise<TestService> {
  return startServiceOn(await createTestDatabase(), environment, extra, logger, stallTimeout);
}

/** An application closes its data source. In tests others use it too, and the database closes it. */
const lent = (dataSource: ServiceDataSource): ServiceDataSource =>
  Object.create(dataSource, { destroy: { value: () => Promise.resolve() } });

/** The same on a database that another service uses, or has used. */
export async function startServiceOn(
  database: TestDatabase,
  environment: Record<string, string> = {},
  extra: Type[] = [],
  logger?: Logger,
  stallTimeout?: number,
): Promise<TestService> {
  const clock = new TestClock();
  const configuration = loadConfiguration(environment);
  // Errors explain a 500, because the response does not.
  const level = environment.LOG_LEVEL ?? process.env.TEST_LOG_LEVEL ?? 'error';
  const app = await createApp({
    configuration,
    dataSource: lent(database.dataSource),
    secrets: new Secrets('a key that only the tests use, 32+'),
    clock,
    extra,
    logger: logger ?? createLogger(level, { write: (line) => void process.stderr.write(line) }),
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
    async as(role, areas = [...AREAS]) {
      const email = `${role}-${randomUUID()}@example.com`;
      await database.db.query(
        sql`INSERT INTO profiles (email, role, areas, password_hash) VALUES (${email}, ${role}, ${areas}, ${NOBODYS})`,
      );
      return new Api(url, await openSession(database.db, app.get(Sessions), { email }));
    },
    beside: (...other) => startServiceOn({ ...database, drop: () => Promise.resolve() }, ...other),
    async stop() {
      app.getHttpServer().closeAllConnections();
      await app.close();
      await database.drop();
    },
  };
}
