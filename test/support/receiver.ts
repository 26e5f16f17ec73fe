import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { until } from './until.js';

/** A request that a receiver has got. */
interface Received {
  path: string;
  headers: Record<string, string>;
  text: string;
  at: number;
}

type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

/** An endpoint of webhooks. It answers 204 unless the test sets another response. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = (response) => response.writeHead(204).end();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param tls key and certificate; plain HTTP without them */
  static async open(tls?: ServerOptions): Promise<Receiver> {
    let receiver: Receiver;
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('error', () => {});
      request.on('end', () => {
        const received = {
          path: request.url!,
          headers: request.headers as Record<string, string>,
          text: Buffer.concat(parts).toString(),
          at: Date.now(),
        };
        receiver.received.push(received);
        receiver.answer(response, received, request);
      });
    };
    const server = tls ? createTlsServer(tls, handle) : createServer(handle);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    receiver = new Receiver(server, `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`);
    return receiver;
  }

  /** The distinct events so far. Fails if a signature does not match. */
  events(secret: string): { id: string; type: string; data: Record<string, unknown> }[] {
    const seen = new Map<string, { id: string; type: string; data: Record<string, unknown> }>();
    for (const { headers, text } of this.received) {
      const id = headers['webhook-id']!;
      const event = new Webhook(secret).verify(text, headers) as { type: string; data: Record<string, unknown> };
      if (!seen.has(id)) seen.set(id, { id, ...event });
    }
    return [...seen.values()];
  }

  async until(met: () => boolean): Promise<void> {
    await until(() => this.received, met);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
