import { setTimeout as sleep } from 'node:timers/promises';
import { secondsAsked } from '../../http/retry-after.js';
import { CommandError, send, type Target } from '../remote.js';
import { isObject } from './shapes.js';

/** Maximum number of attempts if a system is busy or cannot be reached. */
const ATTEMPTS = 8;
/** Maximum number of times that a list is read because it changed meanwhile. */
const ROUNDS = 5;
/** Maximum milliseconds of a `Retry-After` that are honoured. */
const LONGEST = 300_000;

/** Limit of one response. A page of a thousand objects has a few megabytes, and takes seconds. */
export const LIMITS = { bytes: 64 * 1024 * 1024, milliseconds: 300_000 };
/** Maximum number of redirects. */
const MOST_HOPS = 5;
/** Maximum depth of lists and objects in a response. */
const MOST_LEVELS = 100;

/** A permanent refusal. The request is not retried. */
export class Refusal extends CommandError {}

/**
 * Sends an idempotent request. Retries it if the system asks for that, fails, or is unreachable for a moment.
 * @param read reads the response. An error of it is also retried, for example a response that ends early
 * @param limit timeout of the whole response in milliseconds. A timeout is not retried
 * @throws CommandError if the system cannot be reached
 */
export async function persistently<T>(
  target: Target,
  init: RequestInit,
  read: (response: Response) => Promise<T>,
  limit?: number,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let wait = Math.min(2 ** attempt * 100, 10_000);
    const signal = limit === undefined ? undefined : AbortSignal.timeout(limit);
    try {
      const response = await send(target, { ...init, signal });
      const isBusy = response.status === 429 || response.status >= 500;
      if (!isBusy || attempt === ATTEMPTS) return await read(response);
      wait = waitOf(response.headers.get('retry-after')) ?? wait;
      await response.body?.cancel();
    } catch (error) {
      if (signal?.aborted === true)
        throw new Refusal(`${target.url.origin} did not answer within ${limit! / 1000} s: ${target.url.pathname}`);
      if (attempt === ATTEMPTS || error instanceof Refusal) throw error;
    }
    await sleep(wait);
  }
}

/** Milliseconds of a `Retry-After`: seconds or a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = secondsAsked(header, Date.now());
  return seconds === undefined ? undefined : Math.min(Math.max(seconds * 1000, 100), LONGEST);
}

/**
 * Reads the API of another system.
 * @throws CommandError if it refuses the token, or its response is not JSON
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
    let url = new URL(`${this.root}${path}`);
    for (let hop = 0; ; hop++) {
      const answer = await this.ask(url);
      if (!(answer instanceof URL)) return answer?.value as T | undefined;
      // The token is for this origin.
      if (answer.origin !== url.origin)
        throw new Refusal(`${url.origin} sends on to ${answer.origin}: give that address if it is the source`);
      if (hop === MOST_HOPS) throw new Refusal(`${url.origin} sends on more than ${MOST_HOPS} times: ${url.pathname}`);
      url = answer;
    }
  }

  /** A response, or the address of its redirect; undefined if the path does not exist. */
  private ask(url: URL): Promise<{ value: unknown } | URL | undefined> {
    return persistently(
      { url, token: this.token, scheme: this.scheme },
      { headers: { accept: 'application/json' }, redirect: 'manual' },
      async (response) => {
        const { status } = response;
        const to = response.headers.get('location');
        if (status >= 300 && status < 400 && to !== null && URL.canParse(to, url)) return new URL(to, url);
        if (status === 404) return undefined;
        if (status === 401 || status === 403)
          throw new Refusal(`${url.origin} refused the token for ${url.pathname}: ${status}`);
        if (!response.ok) throw new Refusal(`${url.origin} answered ${status} to ${url.pathname}`);
        return { value: parsed(await textOf(response, url), url) };
      },
      LIMITS.milliseconds,
    );
  }

  /**
   * The entries of a paged list, each once. Changes meanwhile shift entries between pages, so the list is read again until its total
   * stays the same. A list that this version does not have is empty.
   * @param pathOf path of a page, by the number of entries before it
   * @param names properties of the total and of the entries in a response
   */
  async *entries(
    pathOf: (offset: number) => string,
    [total, entries]: readonly [total: string, entries: string],
  ): AsyncGenerator<Entry> {
    const seen = new Set<unknown>();
    for (let round = 0; round < ROUNDS; round++) {
      const totals = new Set<number>();
      const inRound = new Set<string>();
      for (let offset = 0; ;) {
        const answer = await this.get<Record<string, unknown>>(pathOf(offset));
        if (answer === undefined) return;
        const page = isObject(answer) ? answer[entries] : undefined;
        if (!Array.isArray(page)) throw new CommandError(`${this.root} answered no list to ${pathOf(offset)}`);
        const count = Number(answer[total] ?? page.length);
        totals.add(count);
        const before = inRound.size;
        for (const [index, entry] of page.entries()) {
          const id: unknown = isObject(entry) ? entry.id : undefined;
          const place = typeof id === 'number' || typeof id === 'string' ? String(id) : `entry ${offset + index + 1}`;
          if (!seen.has(place)) yield { place, fields: isObject(entry) && place === String(id) ? entry : undefined };
          seen.add(place);
          inRound.add(place);
        }
        if (page.length > 0 && inRound.size === before)
          throw new CommandError(`${this.root} repeats its pages: ${pathOf(offset)}`);
        offset += page.length;
        if (page.length === 0 || !(offset < count)) break;
      }
      if (totals.size === 1) return;
    }
  }
}

/** The text of a response, up to a size limit. A compressed response may be much longer than the bytes on the network. */
async function textOf({ body }: Response, url: URL): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > LIMITS.bytes)
      throw new Refusal(`${url.origin} answered more than ${LIMITS.bytes >> 20} MiB to ${url.pathname}`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** The value of a JSON text. @throws Refusal, CommandError for JSON that ends early */
function parsed(text: string, url: URL): unknown {
  if (levelsOf(text) > MOST_LEVELS) throw new Refusal(`${url.origin} answered too many levels to ${url.pathname}`);
  try {
    return JSON.parse(text);
  } catch {
    const isBegun = text.trimStart().startsWith('{');
    const message = `${url.origin} answered ${isBegun ? 'faulty JSON' : 'something that is not JSON'} to ${url.pathname}`;
    throw isBegun ? new CommandError(message) : new Refusal(`${message}: is it the right address?`);
  }
}

/** The nesting depth of a JSON text, determined before it is parsed. */
function levelsOf(text: string): number {
  let [levels, most, isInText] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (isInText) {
      if (character === 0x5c) at++;
      else if (character === 0x22) isInText = false;
    } else if (character === 0x22) isInText = true;
    else if (character === 0x5b || character === 0x7b) most = Math.max(most, ++levels);
    else if (character === 0x5d || character === 0x7d) levels--;
  }
  return most;
}

/** An entry of a list. */
interface Entry {
  /** Its id, or its place if it has none. */
  place: string;
  /** Undefined if it is no object with an id. */
  fields?: Record<string, unknown>;
}

/** Whether an address is one of this machine. */
export const isLocal = (url: string): boolean => /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);
