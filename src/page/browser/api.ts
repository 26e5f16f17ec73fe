/* Requests to the API. */

import type { Answer, Fault, FieldFault, Loadable } from './types.js';
import { useCallback, useEffect, useState } from 'preact/hooks';

/** A refusal, with the faults of single fields. */
export class Refused extends Error implements Fault {
  readonly details: FieldFault[];

  /** @param status 0 if the service cannot be reached */
  constructor(
    readonly status: number,
    { error = 'The service gave no reason', details = [] }: { error?: string; details?: FieldFault[] } = {},
  ) {
    super(error);
    this.details = details;
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
  [...(link ?? '').matchAll(/<([^>]*)>; rel="related"; title="([^"]*)"/g)].map(([, path, title]) => ({
    path: path!,
    title: title!,
  }));

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/**
 * The entity tag as the service gave it. A proxy that compresses an answer makes its tag weak, or adds a word to it; of the record it
 * still says the same.
 */
const tagOf = (etag: string | null): string | undefined =>
  etag?.replace(/^W\//, '').replace(/-{1,2}(?:gzip|br|zstd)"$/, '"');

/** @returns what the headers and the body of a success say. @throws Refused */
export async function send(
  method: string,
  path: string,
  { body, headers, signal }: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      signal,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Refused(0, { error: 'The service cannot be reached' });
  }
  const answer = response.status === 204 ? {} : await response.json().catch(() => ({}));
  if (!response.ok) {
    if (response.status === 401 && path !== '/api/auth/login' && path !== '/api/auth/session')
      for (const listener of onExpired) listener();
    throw new Refused(response.status, answer);
  }
  const { headers: given } = response;
  return { etag: tagOf(given.get('etag')), related: relatedOf(given.get('link')), ...answer } as Answer;
}

export const get = (path: string, signal?: AbortSignal): Promise<Answer> => send('GET', path, { signal });

/** Begins anew what is shown, after a log-in or a change. */
const reloads = new Set<() => void>();
export const reloadAll = (): void => reloads.forEach((reload) => reload());

/**
 * The answer of a GET; the request is given up when the view is left.
 * @param path undefined while there is nothing to ask
 */
export function useGet(path: string | undefined): Loadable {
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
    get(path, controller.signal).then(
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
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
