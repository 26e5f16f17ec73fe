import { Agent, request as httpRequest } from 'node:http';
import type { Transform } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { createGunzip, createInflate } from 'node:zlib';

/*
 * The part of `fetch` that the SDK needs, on Node's HTTP client. The web streams of `fetch` would otherwise be most of the cost of a
 * request. test/sdk tests the SDK with the real `fetch`.
 */

/** The headers that `fetch` sends with each request. */
const DEFAULTS = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
};

const agent = new Agent({ keepAlive: true });

/** In place of the global `Request`. */
export class PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;

  constructor(url: string, { method = 'GET', headers, body }: { method?: string; headers?: Headers; body?: string }) {
    this.url = new URL(url).href;
    this.method = method;
    this.headers = new Headers(headers);
    this.body = body;
    if (body !== undefined && !this.headers.has('content-type')) {
      this.headers.set('content-type', 'text/plain;charset=UTF-8');
    }
  }
}

/** In place of the global `Response`. */
export class PlainResponse {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    private readonly content: string,
  ) {}

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async text(): Promise<string> {
    return this.content;
  }
}

const DECODERS: Record<string, (() => Transform) | undefined> = { gzip: createGunzip, deflate: createInflate };

/** Redirects are not followed. */
export function plainFetch({ url, method, headers, body }: PlainRequest): Promise<PlainResponse> {
  const { hostname, port, pathname, search } = new URL(url);
  const content = body === undefined ? undefined : Buffer.from(body);
  const sent: Record<string, string> = { ...DEFAULTS };
  for (const [name, value] of headers) sent[name] = value;
  if (content) sent['content-length'] = String(content.length);
  else if (!['GET', 'HEAD', 'DELETE'].includes(method)) sent['content-length'] = '0';
  return new Promise((resolve, reject) => {
    let answered = false;
    const request = httpRequest({ agent, hostname, port, method, path: pathname + search, headers: sent });
    request.on('response', (response) => {
      answered = true;
      const received = new Headers();
      const { rawHeaders } = response;
      for (let at = 0; at < rawHeaders.length; at += 2) received.append(rawHeaders[at]!, rawHeaders[at + 1]!);
      // A stream of events does not end. Its events are read in changes-feed.spec.ts.
      if (received.get('content-type') === 'text/event-stream') {
        response.destroy();
        return resolve(new PlainResponse(response.statusCode!, received, ''));
      }
      const decoder = DECODERS[response.headers['content-encoding'] ?? ''];
      // An aborted response is an error in both kinds of streams.
      const stream = decoder && method !== 'HEAD' ? response.on('error', reject).pipe(decoder()) : response;
      textOf(stream).then((text) => resolve(new PlainResponse(response.statusCode!, received, text)), reject);
    });
    // A body that is refused while it is sent breaks the pipe, but the response arrives.
    request.on('error', (error) => answered || reject(error));
    request.end(content);
  });
}
