import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Json } from '../support/document.js';

/** A request as it is sent. */
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
  /** The parsed body; undefined if there is none. */
  body: Json;
  /** From the first byte sent to the last one received. */
  ms: number;
}

/** Sends requests that `fetch` would correct or refuse. */
export class WireClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor(readonly url: URL) {}

  send({ method, path, headers: given, body }: Wire): Promise<Answer> {
    const { hostname, port } = this.url;
    // Node does not send the length of the body of a DELETE. The service would read the body as the next request.
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
          const isJson = text !== '' && response.headers['content-type']?.startsWith('application/json');
          try {
            const parsed = isJson ? (JSON.parse(text) as Json) : undefined;
            resolve({ status: response.statusCode!, headers: response.headers, text, body: parsed, ms });
          } catch {
            reject(new Error(`answered ${response.statusCode} with invalid JSON: ${text.slice(0, 200)}`));
          }
        });
      });
      // If the service refuses a body while it is sent, the pipe breaks, but the response arrives.
      sent.on('error', (error) => answered || reject(error));
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
