import createFetchClient, { type Client, type ClientOptions, type Middleware } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, paths } from './schema.js';
/** The records and bodies of the service by name, such as `Schemas['IpAddress']`. */
export type Schemas = components['schemas'];
export type InventoryClient = Client<paths>;

/** A refusal of the service. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';

  constructor(
    /** HTTP status. */
    readonly status: number,
    body: Schemas['Error'] | undefined,
    /** Id of the request, which is in the log of the service too. */
    readonly requestId: string | null,
    /** Entity tag and the other headers. */
    readonly headers: Headers,
  ) {
    super(body?.error ?? `The service answered ${status}`);
    this.details = body?.details ?? [];
  }

  /** What is wrong with which field, all at once. */
  readonly details: readonly Schemas['Fault'][];
}

/** Keeps the session cookie where no browser does, and sends it along. */
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

/**
 * A client of the service. `POST /api/auth/login` logs it in: in a browser the browser keeps the session, elsewhere the
 * client does.
 * @param options.baseUrl such as `http://127.0.0.1:3000`
 * @param options.session value of a session cookie, such as `npm run session` prints
 */
export function createClient({
  session,
  ...options
}: ClientOptions & { baseUrl: string; session?: string }): InventoryClient {
  const client = createFetchClient<paths>({
    credentials: 'include',
    // `status=a&status=b`: any of the values.
    querySerializer: { array: { style: 'form', explode: true } },
    ...options,
  });
  if (!('document' in globalThis)) client.use(sessionCookie(session));
  return client;
}

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * The data of an answer: `const site = await ok(client.POST('/api/sites', { body: { name: 'AMS1' } }))`.
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
/** The paths that answer lists. */
export type ListPath = { [P in keyof paths]: [PageOf<P>] extends [never] ? never : P }[keyof paths];
type GetParameters<P extends ListPath> = paths[P] extends { get: { parameters: infer Parameters } }
  ? Parameters
  : never;

/**
 * Every record of a list, page after page:
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
