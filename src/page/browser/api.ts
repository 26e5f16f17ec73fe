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

/** The effects of a change, from the header `Link`: addresses of the API with a title. */
const relatedOf = (link: string | null): Answer['related'] =>
  [...(link ?? '').matchAll(/<([^<>]*)>; rel="related"; title="([^"<]*)"/g)].map(([, path, title]) => ({
    path: path!,
    title: title!,
  }));

const readJson = (text: string): object => JSON.parse(text, spread) as object;

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** A body that cannot be read is empty. One whose reading was aborted is not a response. */
const orNothing = (error: unknown): object => {
  if (isAbort(error)) throw error;
  return {};
};

/**
 * The entity tag as the service sent it. A proxy that compresses a response makes its tag weak, or adds a suffix. The tag still
 * identifies the same record.
 */
const tagOf = (etag: string | null): string | undefined =>
  etag?.replace(/^W\//, '').replace(/-{1,2}(?:gzip|br|zstd)"$/, '"');

const KEY = 'idempotency-key';
/** Statuses of proxies when the service has not answered. */
const LOST = new Set([500, 502, 504]);

/** The message if it is unknown whether a request was carried out. */
const doubtful = (said: string): string =>
  `${said}. An earlier attempt may have succeeded: look before you change what you send`;

/**
 * @param type media type of a body that is text; any other body is sent as JSON
 * @returns the data and headers of a successful response
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

/** The header that makes an operation refuse a record that has changed since, if the operation accepts one. */
export const ifMatch = ({ conditional }: Operation, etag: string | undefined): Record<string, string> =>
  conditional && etag ? { 'if-match': etag } : {};

export const get = (path: string, signal?: AbortSignal): Promise<Answer> => send('GET', path, { signal });

/** Reloads the current view, after a login or a change. */
const reloads = new Set<() => void>();
export const reloadAll = (): void => reloads.forEach((reload) => reload());
/** Calls `listener` at each reload. @returns a function that stops this */
export function whenReloaded(listener: () => void): () => void {
  reloads.add(listener);
  return () => void reloads.delete(listener);
}

/**
 * The response of a GET. The request is aborted when the view is left.
 * @param path undefined if there is nothing to request
 */
export const useGet = (path: string | undefined): Loadable => useAnswer(path, get);

/** Page size of `useAll`. */
const MOST = 1000;

/** The response of a list with all of its rows. @param path with a query */
export const useAll = (path: string): Loadable =>
  useAnswer(path, async (asked, signal) => {
    const rows: unknown[] = [];
    for (let page = 1; ; page++) {
      const answer = await get(`${asked}&pageSize=${MOST}&page=${page}`, signal);
      rows.push(...(answer.data as unknown[]));
      if (!answer.hasMore) return { ...answer, data: rows };
    }
  });

/** As `useGet`, with a reader of its own. */
export function useAnswer(path: string | undefined, read: typeof get): Loadable {
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

/** Returns the same key for the same content, because the response to an earlier attempt may have been lost. */
export function useKey(): (...sent: unknown[]) => Record<string, string> {
  const last = useRef<{ sent: string; key: string } | undefined>(undefined);
  return (...parts) => {
    const sent = JSON.stringify(parts);
    if (last.current?.sent !== sent) last.current = { sent, key: newKey() };
    return { [KEY]: last.current.key };
  };
}

/** For requests that are not retried. */
export const onceKey = (): Record<string, string> => ({ [KEY]: newKey() });
