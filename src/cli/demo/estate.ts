import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Random } from './random.js';

/** A record as the service answers it. */
export interface Made {
  id: string;
  [field: string]: unknown;
}

const DAY_MS = 86_400_000;

/**
 * The estate that is being made: a client of the service, which answers it within the process, so that every rule holds
 * and nothing listens on a port. Requests follow one another, so that the same chance falls to the same record each time;
 * side by side they would be no faster, as they all wait for one process.
 */
export class Estate {
  /** Midnight, UTC, of the day that everything planned lies after, and everything done before. */
  private readonly today: number;

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly session: string,
    readonly random: Random,
    today: Date,
  ) {
    this.today = Math.floor(today.getTime() / DAY_MS) * DAY_MS;
  }

  /** Creates a record, or does something to one. */
  async make(path: string, body: object): Promise<Made> {
    return (await this.request('POST', path, body)).data;
  }

  async change(path: string, body: object): Promise<Made> {
    return (await this.request('PATCH', path, body)).data;
  }

  /** Every record of a list. */
  async all(path: string): Promise<Made[]> {
    return (await this.request<Made[]>('GET', path)).data;
  }

  /** How many records a list has. */
  async total(path: string): Promise<number> {
    return (await this.request('GET', `${path}?pageSize=1`)).total;
  }

  /** Ends the session. */
  async leave(): Promise<void> {
    await this.request('POST', 'auth/logout');
  }

  /** The day, such as `2026-03-01`, that is so many days from today. */
  day(days: number): string {
    return new Date(this.today + days * DAY_MS).toISOString().slice(0, 10);
  }

  /** That day at a time, such as `08:30`, UTC. */
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
