import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Random } from './random.js';

export interface Made {
  id: string;
  [field: string]: unknown;
}

const DAY_MS = 86_400_000;
/** Number of records that one request creates. */
const AT_ONCE = 500;

/**
 * The estate that is being created. Its client calls the service within the process, so every rule applies and no port is opened.
 * Requests are sequential, so that each record gets the same random values each time. Parallel requests would not be faster, because
 * one process handles all of them.
 */
export class Estate {
  /** Midnight, UTC, of the current day. Plans lie after it, history before it. */
  private readonly today: number;

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly session: string,
    readonly random: Random,
    today: Date,
  ) {
    this.today = Math.floor(today.getTime() / DAY_MS) * DAY_MS;
  }

  /** Creates a record, or runs an action on one. */
  async make(path: string, body: object): Promise<Made> {
    return (await this.request('POST', path, body)).data;
  }

  /** Creates many records of a collection and returns their ids. This is several times as fast as one request for each record. */
  async makeAll(path: string, bodies: readonly object[]): Promise<string[]> {
    const ids: string[] = [];
    for (let at = 0; at < bodies.length; at += AT_ONCE) {
      const operations = bodies.slice(at, at + AT_ONCE).map((data) => ({ op: 'create', data }));
      const { results } = await this.make(`${path}/bulk`, { operations });
      ids.push(...(results as { id: string }[]).map(({ id }) => id));
    }
    return ids;
  }

  async change(path: string, body: object): Promise<Made> {
    return (await this.request('PATCH', path, body)).data;
  }

  async all(path: string): Promise<Made[]> {
    return (await this.request<Made[]>('GET', path)).data;
  }

  /** The oldest record. */
  async first(path: string): Promise<Made | undefined> {
    return (await this.request<Made[]>('GET', `${path}?pageSize=1`)).data[0];
  }

  async total(path: string): Promise<number> {
    return (await this.request('GET', `${path}?pageSize=1`)).total;
  }

  async leave(): Promise<void> {
    await this.request('POST', 'auth/logout');
  }

  /** The date, for example `2026-03-01`, this many days from today. */
  day(days: number): string {
    return new Date(this.today + days * DAY_MS).toISOString().slice(0, 10);
  }

  /** That date at a time, for example `08:30`, UTC. */
  at(days: number, time: string): string {
    return `${this.day(days)}T${time}:00.000Z`;
  }

  /** Days from today to the Monday of this week; 0 on a Monday. */
  get monday(): number {
    return -((new Date(this.today).getUTCDay() + 6) % 7);
  }

  private async request<T = Made>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
  ): Promise<{ data: T; total: number }> {
    const { statusCode, payload } = await this.app.inject({
      method,
      url: `/api/${path}`,
      cookies: { session: this.session },
      ...(body && { payload: body }),
    });
    const answer = (payload === '' ? {} : JSON.parse(payload)) as { data: T; total: number; error?: string };
    if (statusCode >= 400) throw new Error(`${method} /api/${path} was refused (${statusCode}): ${answer.error}`);
    return answer;
  }
}
