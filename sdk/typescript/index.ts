import createFetchClient, { type Client, type ClientOptions, type Middleware } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, paths } from './schema.js';
/** The records and bodies of the service by name, for example `Schemas['IpAddress']`. */
export type Schemas = components['schemas'];
/** Paths whose operations return the result of an action. Only a request with `changeSet` is answered with 202, which `planned` reads. */
type Done<Paths> = {
  [P in keyof Paths]: {
    [M in keyof Paths[P]]: Paths[P][M] extends { responses: infer Responses }
      ? Omit<Paths[P][M], 'responses'> & { responses: Omit<Responses, 202> }
      : Paths[P][M];
  };
};
/** @typeParam Paths those of a document with the custom fields of an installation, `/api/openapi.json`; by default the published ones */
export type InventoryClient<Paths extends object = paths> = Client<Done<Paths>, 'application/json'>;

/** An error response of the service. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';

  constructor(
    /** HTTP status. */
    readonly status: number,
    body: Schemas['Error'] | undefined,
    /** Id of the request, which is also in the service's log. */
    readonly requestId: string | null,
    /** Headers of the response, including the entity tag. */
    readonly headers: Headers,
  ) {
    super(body?.error ?? `The service answered ${status}`);
    this.details = body?.details ?? [];
  }

  /** Every fault of the request with its field. */
  readonly details: readonly Schemas['Fault'][];
}

/** Stores the session cookie outside of browsers, and sends it with each request. */
function sessionCookie(session?: string): Middleware {
  let token = session;
  return {
    onRequest({ request }) {
      if (token !== undefined) request.headers.set('cookie', `session=${token}`);
      return request;
    },
    onResponse({ response }) {
      for (const cookie of response.headers.getSetCookie()) {
        const value = /^session=([^;]*)/.exec(cookie)?.[1];
        if (value !== undefined) token = value === '' ? undefined : value;
      }
      return undefined;
    },
  };
}

/** Sends a token with each request. */
const bearer = (token: string): Middleware => ({
  onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${token}`);
    return request;
  },
});

/**
 * A client of the service. Programs pass a token. Without a token, `POST /api/auth/login` logs it in. In a browser, the browser stores the session; elsewhere the client
 * does.
 * @typeParam Paths what `openapi-typescript` makes of the `/api/openapi.json` of an installation: its custom fields are typed then
 * @param options.baseUrl for example `http://127.0.0.1:3000`
 * @param options.token as answered by `POST /api/tokens`; it takes precedence over a session
 * @param options.session value of a session cookie, as `npm run session` prints it
 */
export function createClient<Paths extends object = paths>({
  token,
  session,
  ...options
}: ClientOptions & { baseUrl: string; token?: string; session?: string }): InventoryClient<Paths> {
  const client = createFetchClient<Done<Paths>, 'application/json'>({
    credentials: 'include',
    // `status=a&status=b` matches any of the values.
    querySerializer: { array: { style: 'form', explode: true } },
    ...options,
  });
  if (!('document' in globalThis)) client.use(sessionCookie(session));
  if (token !== undefined) client.use(bearer(token));
  return client;
}

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * The data of a response: `const site = await ok(client.POST('/api/sites', { body: { name: 'AMS1' } }))`.
 * @throws InventoryError
 */
export async function ok<T>(request: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) {
    throw new InventoryError(
      response.status,
      error as Schemas['Error'] | undefined,
      response.headers.get('x-request-id'),
      response.headers,
    );
  }
  return data as T;
}

/**
 * The ids of the operations that hold a request in a change set:
 * `const ids = await planned(client.PATCH('/api/devices/{id}', { params: { path: { id }, query: { changeSet } }, body }))`.
 * @throws InventoryError
 */
export async function planned(request: Promise<Outcome<unknown>>): Promise<string[]> {
  const { data } = (await ok(request)) as Schemas['PlannedOperationsResponse'];
  return data.operations;
}

type PageOf<Paths, P extends keyof Paths> = Paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body extends { data: (infer Item)[]; page: number; hasMore: boolean }
    ? Item
    : never
  : never;
/** The paths of lists. */
export type ListPath<Paths extends object = paths> = {
  [P in keyof Paths]: [PageOf<Paths, P>] extends [never] ? never : P;
}[keyof Paths];
type GetParameters<Paths extends object, P extends ListPath<Paths>> = Paths[P] extends {
  get: { parameters: infer Parameters };
}
  ? Parameters
  : never;

/** The cursor in the `Link` of a page. */
const cursorIn = (link: string | null): string | undefined =>
  /[?&]after=([^&>]*)[^>]*>; rel="next"/.exec(link ?? '')?.[1];

/**
 * Iterates over all records of a list, page by page, each of which begins after the last record of the one before. So no record that
 * stays is missed or comes twice, whatever is written meanwhile:
 * `for await (const address of records(client, '/api/ip-addresses', { query: { status: ['active'] } })) …`
 * @throws InventoryError
 */
export async function* records<Paths extends object, P extends ListPath<Paths>>(
  client: InventoryClient<Paths>,
  path: P,
  params: GetParameters<Paths, P> = {} as GetParameters<Paths, P>,
  pageSize = 1000,
): AsyncGenerator<PageOf<Paths, P>> {
  const { GET } = client as unknown as InventoryClient;
  const { query, ...others } = params as { query?: object };
  let at: { page: number; after?: string } = { page: 1 };
  while (true) {
    const request = GET(path as never, { params: { ...others, query: { ...query, ...at, pageSize } } } as never);
    const outcome = (await request) as Outcome<unknown>;
    const { data, hasMore } = (await ok(Promise.resolve(outcome))) as { data: PageOf<Paths, P>[]; hasMore: boolean };
    yield* data;
    if (!hasMore) return;
    const after = cursorIn(outcome.response.headers.get('link'));
    // Without a cursor the next page is counted from the last one.
    at = after === undefined ? { ...at, page: at.page + 1 } : { page: 1, after };
  }
}

/** A part of the feed of changes: entries, and where the next part begins. */
export type Changes = paths['/api/changes']['get']['responses'][200]['content']['application/json'];
type ChangesQuery = NonNullable<paths['/api/changes']['get']['parameters']['query']>;

/** Seconds before a failed request is retried: initially, and at most. */
const RETRY = { first: 1, most: 30 };

const sleep = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Whether a retry may succeed: the network, the service or its limits are the cause. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof InventoryError) || error.status >= 500 || error.status === 408 || error.status === 429;

/**
 * Iterates over the changes of all records, and waits for new ones without end:
 * `for await (const { data, cursor } of changes(client, { since })) { …; await save(cursor) }`
 *
 * After an outage it goes on where it was. Keep the cursor of the last part that was processed, and pass it as `since` when the program starts
 * again: then no change is missed, and none is processed twice.
 * @param options.since a cursor, or `start`; absent: changes from now on
 * @param options.signal ends the iteration
 * @throws InventoryError if the feed is refused, for example 410 for a cursor that is older than the log is kept
 */
export async function* changes<Paths extends object>(
  client: InventoryClient<Paths>,
  { signal, ...query }: ChangesQuery & { signal?: AbortSignal } = {},
): AsyncGenerator<Changes> {
  const { GET } = client as unknown as InventoryClient;
  let { since } = query;
  let wait = since === undefined ? 0 : 20;
  let pause = RETRY.first;
  for (;;) {
    if (signal?.aborted) return;
    let part: Changes;
    try {
      part = await ok(GET('/api/changes', { params: { query: { ...query, since, wait } }, signal }));
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error)) throw error;
      const asked = error instanceof InventoryError ? Number(error.headers.get('retry-after')) : 0;
      await sleep(Math.max(pause, asked), signal);
      pause = Math.min(pause * 2, RETRY.most);
      continue;
    }
    pause = RETRY.first;
    since = part.cursor;
    wait = 20;
    if (part.data.length > 0) yield part;
  }
}

/** The body of a webhook request in the format `standard`. */
export interface WebhookEvent {
  /** `<resource>.<action>`, for example `devices.update`, or `webhooks.test`. */
  type: string;
  /** When the change was made. */
  timestamp: string;
  data: Schemas['ChangeLogEntry'];
}

/** Maximum difference in seconds between the clocks of sender and receiver. */
const TOLERANCE = 5 * 60;

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/**
 * Checks that a request to a webhook comes from the service, and returns its event. Repeated requests have the same `webhook-id`.
 * @param secret of the webhook, `whsec_…`
 * @param headers of the request
 * @param body of the request, exactly as it was received
 * @throws Error if the signature does not match, or if the request is older than five minutes
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string,
): Promise<WebhookEvent> {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== 'string') throw new Error(`The request has no header ${name}`);
    return value;
  };
  const timestamp = header('webhook-timestamp');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE)) {
    throw new Error('The request is too old, or its time is in the future');
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = bytesOf(secret.replace(/^whsec_/, ''));
  const verifier = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${header('webhook-id')}.${timestamp}.${body}`);
  for (const signature of header('webhook-signature').split(' ')) {
    const [version, base64] = signature.split(',');
    if (version !== 'v1' || base64 === undefined) continue;
    if (await crypto.subtle.verify(algorithm, verifier, bytesOf(base64), signed))
      return JSON.parse(body) as WebhookEvent;
  }
  throw new Error('The signature of the request does not match');
}
