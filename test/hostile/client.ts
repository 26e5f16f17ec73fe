import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Json } from '../support/document.js';

/** A request as it goes over the wire. */
export interface Wire {
  method: string;
  /** Each character is a byte. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body; undefined when there is none. */
  body: Json;
  /** From the first byte sent to the last one received. */
  ms: number;
}

/** Sends what `fetch` would put right, or refuse to send. */
export class WireClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor(readonly url: URL) {}

  send({ method, path, headers: given, body }: Wire): Promise<Answer> {
    const { hostname, port } = this.url;
    // Of a DELETE with a body Node does not say how long it is: the service would take it for the next request.
    const told =
      body === undefined || Object.keys(given).some((name) => /^(?:content-length|transfer-encoding)$/i.test(name));
    const headers = told ? given : { ...given, 'content-length': String(body.length) };
    const started = performance.now();
    return new Promise((resolve, reject) => {
      let answered = false;
      const sent = httpRequest({ hostname, port, method, path, headers, agent: this.agent, setHost: !headers.host });
      sent.on('response', (response) => {
        answered = true;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - started;
          const text = Buffer.concat(chunks).toString();
          const isJson = text !== '' && response.headers['content-type']?.includes('json');
          try {
            const parsed = isJson ? (JSON.parse(text) as Json) : undefined;
            resolve({ status: response.statusCode!, headers: response.headers, text, body: parsed, ms });
          } catch {
            reject(new Error(`answered ${response.statusCode} with what is no JSON: ${text.slice(0, 200)}`));
          }
        });
      });
      // A body that is refused while it is on its way breaks the pipe; the answer is there all the same.
      sent.on('error', (error) => answered || reject(error));
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
