import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorBody } from '../http/error-body.js';
import { DomainError } from '../http/errors.js';

/** Maximum characters of a URL. Node would refuse a longer one, but injected requests do not go through Node. */
const LONGEST_URL = 16 * 1024;

/** Values of a query string, by name. */
export type QueryValues = Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[]>>;

/** The response to a request that was made for a caller. */
export interface CallerResponse {
  /** The request, as a client writes it: `GET /api/sites?name=AMS1`. */
  request: string;
  status: number;
  text: string;
  /** Cursor of the next page, if there is one. */
  next?: string;
}

/** Headers that identify the caller, the client's address and the trace. They are copied to requests on the caller's behalf. */
const PASSED_ON = [
  'authorization',
  'cookie',
  'host',
  'origin',
  'sec-fetch-site',
  'traceparent',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const;

/**
 * Makes API requests on behalf of the caller of another request. They pass through guard, limits, queues and log like any other
 * request, so they have the caller's rights.
 */
export class CallerRequests {
  constructor(
    private readonly fastify: FastifyInstance,
    private readonly request: FastifyRequest,
  ) {}

  async send(method: 'GET' | 'POST', path: string, query: QueryValues = {}, body?: object): Promise<CallerResponse> {
    const { headers, raw } = this.request;
    const passed = PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
    const url = withQuery(path, query);
    if (url.length > LONGEST_URL) {
      const refusal = new DomainError('headers_too_large');
      return { request: `${method} ${path}`, status: refusal.status, text: errorBody(refusal, this.request).text };
    }
    const response = await this.fastify.inject({
      method,
      url,
      headers: { ...Object.fromEntries(passed), accept: 'application/json' },
      payload: body,
      remoteAddress: raw.socket.remoteAddress,
    });
    const { statusCode: status, payload: text } = response;
    return { request: `${method} ${url}`, status, text, next: nextOf(response.headers.link) };
  }
}

function withQuery(path: string, query: QueryValues): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      parameters.append(name, String(one));
    }
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** The cursor in a header `Link` with the address of the next page. */
function nextOf(link: unknown): string | undefined {
  const next = String(link ?? '')
    .split(', ')
    .find((one) => one.endsWith('>; rel="next"'));
  if (next === undefined) return undefined;
  const address = next.slice(1, next.lastIndexOf('>'));
  return new URL(address, 'http://localhost').searchParams.get('after') ?? undefined;
}
