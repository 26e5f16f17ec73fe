/* Requests to the API. */

import type { Against, Answer, Fault, FieldFault, Loadable, Operation } from './types.js';
import { gathered, spread } from './custom.js';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** A refusal, with the faults of single fields. */
export class Refused extends Error implements Fault {
  readonly details: FieldFault[];
  readonly against?: Against;

  /** @param status 0 if the service cannot be reached */
  constructor(
    readonly status: number,
    {
      error = 'The service gave no reason',
      details = [],
      count,
      records,
    }: { error?: string; details?: FieldFault[] } & Partial<Against> = {},
  ) {
    super(error);
    this.details = details;
    if (count !== undefined && records) this.against = { count, records };
  }
}

const onExpired = new Set<() => void>();
/** Calls `listener` when the session has ended. */
export function whenExpired(listener: () => void): () => void {
  onExpired.add(listener);
  return () => void onExpired.delete(listener);
}

/** What a change affects, by the header `Link`: addresses of the API that have a title. */
const relatedOf = (link: string | null): Answer['related'] =>
  [...(link ?? '').matchAll(/<([^<>]*)>; rel="related"; title="([^"<]*)"/g)].map(([, path, title]) => ({
    path: path!,
    title: title!,
  }));

const readJson = (text: string): object => JSON.parse(text, spread) as object;

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** A body that cannot be read says nothing. One that was given up while it was read is no answer at all. */
const orNothing = (error: unknown): object => {
  if (isAbort(error)) throw error;
  return {};
};

/**
 * The entity tag as the service gave it. A proxy that compresses an answer makes its tag weak, or adds a word to it; of the record it
 * still says the same.
 */
const tagOf = (etag: string | null): string | undefined =>
  etag?.replace(/^W\//, '').replace(/-{1,2}(?:gzip|br|zstd)"$/, '"');

const KEY = 'idempotency-key';
/** Statuses of those who speak for a service that has not answered. */
const LOST = new Set([500, 502, 504]);

/** What is said where nobody knows whether a request was done. */
const doubtful = (said: string): string =>
  `${said}. An earlier attempt may have succeeded: look before you change what you send`;

/**
 * @param type media type of a body that is text; any other body is sent as JSON
 * @returns what the headers and the body of a success say
 * @throws Refused
 */
export async function send(
  method: string,
  path: string,
  {
    body,
    type,
    headers,
    signal,
  }: { body?: unknown; type?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      signal,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: type === undefined ? JSON.stringify(gathered(body)) : (body as string) }),
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    const said = 'The service cannot be reached';
    throw new Refused(0, { error: headers?.[KEY] ? doubtful(said) : said });
  }
  const answer = response.status === 204 ? {} : await response.text().then(readJson).catch(orNothing);
  if (!response.ok) {
    if (response.status === 401 && path !== '/api/auth/login' && path !== '/api/auth/session')
      for (const listener of onExpired) listener();
    const { error = 'The service gave no answer' } = answer as { error?: string };
    throw new Refused(
      response.status,
      headers?.[KEY] && LOST.has(response.status) ? { ...answer, error: doubtful(error) } : answer,
    );
  }
  const { headers: given } = response;
  const requestId = given.get('x-request-id') ?? undefined;
  return { etag: tagOf(given.get('etag')), requestId, related: relatedOf(given.get('link')), ...answer } as Answer;
}

/** The header with which an operation refuses a record that has changed since, if it takes one. */
export const ifMatch = ({ conditional }: Operation, etag: string | undefined): Record<string, string> =>
  conditional && etag ? { 'if-match': etag } : {};

export const get = (path: string, signal?: AbortSignal): Promise<Answer> => send('GET', path, { signal });

/** Begins anew what is shown, after a log-in or a change. */
const reloads = new Set<() => void>();
export const reloadAll = (): void => reloads.forEach((reload) => reload());
/** Calls `listener` whenever that happens. @returns ends it */
export function whenReloaded(listener: () => void): () => void {
  reloads.add(listener);
  return () => void reloads.delete(listener);
}

/**
 * The answer of a GET; the request is given up when the view is left.
 * @param path undefined while there is nothing to ask
 */
export const useGet = (path: string | undefined): Loadable => useAnswer(path, get);

/** Rows that one request of `useAll` reads. */
const MOST = 1000;

/** The answer of a list with all of its rows, whatever their number. @param path with a query */
export const useAll = (path: string): Loadable =>
  useAnswer(path, async (asked, signal) => {
    const rows: unknown[] = [];
    for (let page = 1; ; page++) {
      const answer = await get(`${asked}&pageSize=${MOST}&page=${page}`, signal);
      rows.push(...(answer.data as unknown[]));
      if (!answer.hasMore) return { ...answer, data: rows };
    }
  });

function useAnswer(path: string | undefined, read: typeof get): Loadable {
  const [state, setState] = useState<{ path?: string; answer?: Answer; error?: Fault }>({});
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((one) => one + 1), []);
  useEffect(() => {
    reloads.add(reload);
    return () => void reloads.delete(reload);
  }, [reload]);
  useEffect(() => {
    if (path === undefined) return undefined;
    const controller = new AbortController();
    read(path, controller.signal).then(
      (answer) => setState({ path, answer }),
      (error: Error) => {
        if (!isAbort(error)) setState({ path, error });
      },
    );
    return () => controller.abort();
  }, [path, turn]);
  return { ...(state.path === path ? state : { isOld: true, answer: state.answer }), reload };
}

/** A query string of names and values; a list is a repeated name. */
export function queryOf(values: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') query.append(name, String(one));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** A key for `Idempotency-Key`. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Gives the key of what is sent: the same one as long as it is the same, because the answer to an earlier attempt may have been lost. */
export function useKey(): (...sent: unknown[]) => Record<string, string> {
  const last = useRef<{ sent: string; key: string } | undefined>(undefined);
  return (...parts) => {
    const sent = JSON.stringify(parts);
    if (last.current?.sent !== sent) last.current = { sent, key: newKey() };
    return { [KEY]: last.current.key };
  };
}

/** For what is not sent again. */
export const onceKey = (): Record<string, string> => ({ [KEY]: newKey() });
