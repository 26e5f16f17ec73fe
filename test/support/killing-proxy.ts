import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** When a client is killed: before its request, after half of it, after all of it, or after the response. */
export const MOMENTS = ['before', 'half', 'sent', 'answered'] as const;
export type Moment = (typeof MOMENTS)[number];

/** A proxy in front of a service. It kills a client during writing requests. */
export class KillingProxy {
  victim?: ChildProcess;
  /** The moment at which the client is killed in a request; undefined for none. */
  momentOf: (path: string, body: Buffer) => Moment | undefined = () => undefined;
  readonly url: string;

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (incoming, response) => void this.pass(incoming, response).catch(() => response.destroy()));
  }

  /** @param target address of the service */
  static async before(target: string): Promise<KillingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new KillingProxy(server, target);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    const moment = method === 'GET' ? undefined : this.momentOf(url.split('?', 1)[0]!, body);
    if (moment === 'before') return this.kill(response);
    const outgoing = request(new URL(url, this.target), { method, headers, agent: false });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => {});
    if (moment === 'half' || moment === 'sent') {
      const sent = moment === 'half' ? body.subarray(0, body.length / 2) : body;
      await new Promise((resolve) => outgoing.write(sent, resolve));
      this.kill(response);
      outgoing.on('error', () => {}).destroy();
      return;
    }
    outgoing.end(body);
    const [answer] = await answered;
    const content = Buffer.concat(await answer.toArray());
    if (moment === 'answered') return this.kill(response);
    response.writeHead(answer.statusCode!, answer.headers).end(content);
  }

  private kill(response: ServerResponse): void {
    this.victim!.kill('SIGKILL');
    response.destroy();
  }
}
