import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, send, type Target } from '../remote.js';
import { isObject } from './shapes.js';

/** Requests are repeated this often where a system is busy or cannot be reached. */
const ATTEMPTS = 8;
/** A list is read again this often, if it has changed while it was read. */
const ROUNDS = 5;
/** Longest wait that a system may ask for, in milliseconds. */
const LONGEST = 300_000;

/** A system has refused a request, and would refuse it again. */
export class Refusal extends CommandError {}

/**
 * Sends a request that may be repeated, and repeats it where the system asks for it, fails, or is not there for a moment.
 * @param read what the answer is read with; what it throws is a failure too, such as JSON that ends early
 * @throws CommandError if the system cannot be reached
 */
export async function persistently<T>(
  target: Target,
  init: RequestInit,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let wait = Math.min(2 ** attempt * 100, 10_000);
    try {
      const response = await send(target, init);
      const isBusy = response.status === 429 || response.status >= 500;
      if (!isBusy || attempt === ATTEMPTS) return await read(response);
      wait = waitOf(response.headers.get('retry-after')) ?? wait;
      await response.body?.cancel();
    } catch (error) {
      if (attempt === ATTEMPTS || error instanceof Refusal) throw error;
    }
    await sleep(wait);
  }
}

/** Milliseconds of a `Retry-After`: seconds or a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 100), LONGEST);
}

/**
 * Answers of another system's API.
 * @throws CommandError if it refuses the token, or answers something else than JSON
 */
export class SourceApi {
  private readonly root: string;
  private readonly token: string;
  private readonly scheme: string;

  /**
   * @param base address of the system, with or without `/api`
   * @param variable the variable of the environment that has the token
   * @param schemeOf what stands before a token in `Authorization`
   */
  constructor(base: string, variable: string, schemeOf: (token: string) => string = () => 'Bearer') {
    if (!URL.canParse(base)) throw new CommandError(`'${base}' is no address`);
    const token = process.env[variable];
    if (!token) throw new CommandError(`The token of the source is required: ${variable}`);
    this.token = token;
    this.scheme = schemeOf(token);
    this.root = base.replace(/(?<!\/)\/+$/, '').replace(/\/api(?:\/v1)?$/, '');
    if (base.startsWith('http:') && !isLocal(base))
      process.stderr.write('The token of the source is sent over http, which others on the way can read\n');
  }

  /** The answer to a path below the address; undefined if there is no such path. */
  async get<T>(path: string): Promise<T | undefined> {
    const url = new URL(`${this.root}${path}`);
    return persistently(
      { url, token: this.token, scheme: this.scheme },
      { headers: { accept: 'application/json' } },
      async (response) => {
        if (response.status === 404) return undefined;
        if (response.status === 401 || response.status === 403)
          throw new Refusal(`${url.origin} refused the token for ${url.pathname}: ${response.status}`);
        if (!response.ok) throw new Refusal(`${url.origin} answered ${response.status} to ${url.pathname}`);
        return (await response.json()) as T;
      },
    );
  }

  /**
   * The entries of a list that is read in pages, each once. What is added or deleted meanwhile moves the others from page to page, so
   * the list is read again until its total stays. A list that this version does not have is empty.
   * @param pathOf of a page, by the number of entries before it
   * @param names of the total and of the entries in an answer
   */
  async *entries(
    pathOf: (offset: number) => string,
    [total, entries]: readonly [total: string, entries: string],
  ): AsyncGenerator<Entry> {
    const seen = new Set<unknown>();
    for (let round = 0; round < ROUNDS; round++) {
      const totals = new Set<number>();
      for (let offset = 0; ;) {
        const answer = await this.get<Record<string, unknown>>(pathOf(offset));
        if (answer === undefined) return;
        const page = isObject(answer) ? answer[entries] : undefined;
        if (!Array.isArray(page)) throw new CommandError(`${this.root} answered no list to ${pathOf(offset)}`);
        const count = Number(answer[total] ?? page.length);
        totals.add(count);
        for (const [index, entry] of page.entries()) {
          const id: unknown = isObject(entry) ? entry.id : undefined;
          const place = typeof id === 'number' || typeof id === 'string' ? String(id) : `entry ${offset + index + 1}`;
          if (!seen.has(place)) yield { place, fields: isObject(entry) && place === String(id) ? entry : undefined };
          seen.add(place);
        }
        offset += page.length;
        if (page.length === 0 || !(offset < count)) break;
      }
      if (totals.size === 1) return;
    }
  }
}

/** An entry of a list. */
export interface Entry {
  /** Its id, or its place if it has none. */
  place: string;
  /** Undefined if it is no object with an id. */
  fields?: Record<string, unknown>;
}

/** Whether an address is one of this machine. */
export const isLocal = (url: string): boolean => /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);
