import createFetchClient, { type Client, type ClientOptions, type Middleware } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, paths } from './schema.js';
/** The records and bodies of the service by name, for example `Schemas['IpAddress']`. */
export type Schemas = components['schemas'];
export type InventoryClient = Client<paths, 'application/json'>;

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
 * @param options.baseUrl for example `http://127.0.0.1:3000`
 * @param options.token as answered by `POST /api/tokens`; it takes precedence over a session
 * @param options.session value of a session cookie, as `npm run session` prints it
 */
export function createClient({
  token,
  session,
  ...options
}: ClientOptions & { baseUrl: string; token?: string; session?: string }): InventoryClient {
  const client = createFetchClient<paths, 'application/json'>({
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

type PageOf<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body extends { data: (infer Item)[]; hasMore: boolean }
    ? Item
    : never
  : never;
/** The paths of lists. */
export type ListPath = { [P in keyof paths]: [PageOf<P>] extends [never] ? never : P }[keyof paths];
type GetParameters<P extends ListPath> = paths[P] extends { get: { parameters: infer Parameters } }
  ? Parameters
  : never;

/**
 * Iterates over all records of a list, page by page:
 * `for await (const address of records(client, '/api/ip-addresses', { query: { status: ['active'] } })) …`
 * @throws InventoryError
 */
export async function* records<P extends ListPath>(
  client: InventoryClient,
  path: P,
  params: GetParameters<P> = {} as GetParameters<P>,
  pageSize = 1000,
): AsyncGenerator<PageOf<P>> {
  for (let page = 1; ; page++) {
    const { query, ...others } = params as { query?: object };
    const request = client.GET(path as never, { params: { ...others, query: { ...query, page, pageSize } } } as never);
    const { data, hasMore } = (await ok(request as Promise<Outcome<unknown>>)) as {
      data: PageOf<P>[];
      hasMore: boolean;
    };
    yield* data;
    if (!hasMore) return;
  }
}
