/* Requests to the API. */

import { useCallback, useEffect, useState } from './hooks.js';

/** A refusal, with the faults of single fields. */
export class Refused extends Error {
  constructor(status, { error = 'The service gave no reason', details = [] } = {}) {
    super(error);
    this.status = status;
    this.details = details;
  }
}

const onExpired = new Set();
/** Calls `listener` when the session has ended. */
export function whenExpired(listener) {
  onExpired.add(listener);
  return () => onExpired.delete(listener);
}

/** What a change affects, by the header `Link`: addresses of the API that have a title. */
const relatedOf = (link) =>
  [...(link ?? '').matchAll(/<([^>]*)>; rel="related"; title="([^"]*)"/g)].map(([, path, title]) => ({ path, title }));

/**
 * The entity tag as the service gave it. A proxy that compresses an answer makes its tag weak, or adds a word to it; of the record it
 * still says the same.
 */
const tagOf = (etag) => etag?.replace(/^W\//, '').replace(/-{1,2}(?:gzip|br|zstd)"$/, '"');

/** @returns what the headers and the body of a success say. @throws Refused */
export async function send(method, path, { body, headers, signal } = {}) {
  let response;
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
    if (error.name === 'AbortError') throw error;
    throw new Refused(0, { error: 'The service cannot be reached' });
  }
  const answer = response.status === 204 ? {} : await response.json().catch(() => ({}));
  if (!response.ok) {
    if (response.status === 401 && path !== '/api/auth/login' && path !== '/api/auth/session')
      for (const listener of onExpired) listener();
    throw new Refused(response.status, answer);
  }
  const { headers: given } = response;
  return { etag: tagOf(given.get('etag') ?? undefined), related: relatedOf(given.get('link')), ...answer };
}

export const get = (path, signal) => send('GET', path, { signal });

/** Begins anew what is shown, after a log-in or a change. */
const reloads = new Set();
export const reloadAll = () => reloads.forEach((reload) => reload());

/**
 * The answer of a GET; the request is given up when the view is left.
 * @param path undefined while there is nothing to ask
 */
export function useGet(path) {
  const [state, setState] = useState({ path: undefined });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((one) => one + 1), []);
  useEffect(() => {
    reloads.add(reload);
    return () => reloads.delete(reload);
  }, [reload]);
  useEffect(() => {
    if (path === undefined) return undefined;
    const controller = new AbortController();
    get(path, controller.signal).then(
      (answer) => setState({ path, answer }),
      (error) => error.name !== 'AbortError' && setState({ path, error }),
    );
    return () => controller.abort();
  }, [path, turn]);
  return { ...(state.path === path ? state : { isOld: true, answer: state.answer }), reload };
}

/** A query string of names and values; a list is a repeated name. */
export function queryOf(values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') query.append(name, one);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** A key for `Idempotency-Key`. */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
