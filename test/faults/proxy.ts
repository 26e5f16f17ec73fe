import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Fault = 'none' | 'cut' | 'reset' | 'stall';

interface Pair {
  client: Socket;
  server: Socket;
  /** Data in both directions is lost without an error. */
  silent: boolean;
}

/** A proxy between the service and PostgreSQL that simulates faults of the network. */
export class FaultProxy {
  private readonly pairs = new Set<Pair>();
  private trap?: { text: string; side: 'request' | 'answer'; fault: Fault; sprung: () => void };
  /** Number of connections so far, including broken ones. */
  accepted = 0;
  /** The fault of new connections: `stall` accepts them and sends nothing. */
  onConnect: Fault = 'none';

  private constructor(
    private readonly listener: Server,
    private readonly target: { host: string; port: number },
  ) {}

  static async open(host: string, port: number): Promise<FaultProxy> {
    const listener = createServer();
    const proxy = new FaultProxy(listener, { host, port });
    listener.on('connection', (client) => proxy.accept(client));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  get open(): number {
    return this.pairs.size;
  }

  /**
   * Waits for a message of the service that contains `text`, once. On the `request` side it never reaches the server. On the
   * `answer` side the server executes it, and its response is lost.
   */
  onMessage(text: string, side: 'request' | 'answer', fault: Fault): Promise<void> {
    return new Promise((sprung) => (this.trap = { text, side, fault, sprung }));
  }

  /** Breaks all open connections. */
  breakAll(fault: 'cut' | 'reset'): void {
    for (const pair of this.pairs) strike(pair, fault);
  }

  /** Makes all open connections lose their data. */
  silenceAll(): void {
    for (const pair of this.pairs) pair.silent = true;
  }

  async close(): Promise<void> {
    this.breakAll('cut');
    await new Promise((resolve) => this.listener.close(resolve));
  }

  private accept(client: Socket): void {
    this.accepted++;
    client.on('error', () => {});
    if (this.onConnect === 'cut' || this.onConnect === 'reset') {
      if (this.onConnect === 'cut') client.destroy();
      else client.resetAndDestroy();
      return;
    }
    const server = connect(this.target);
    const pair: Pair = { client, server, silent: this.onConnect === 'stall' };
    this.pairs.add(pair);
    let answerFault: Fault = 'none';
    client.on('data', (chunk) => {
      if (pair.silent) return;
      const { trap } = this;
      if (trap && chunk.includes(trap.text)) {
        this.trap = undefined;
        if (trap.side === 'request') {
          if (trap.fault === 'stall') pair.silent = true;
          else strike(pair, trap.fault);
          trap.sprung();
          return;
        }
        answerFault = trap.fault;
        trap.sprung();
      }
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (pair.silent) return;
      if (answerFault === 'none') client.write(chunk);
      else if (answerFault === 'stall') pair.silent = true;
      else strike(pair, answerFault);
    });
    for (const socket of [client, server]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        this.pairs.delete(pair);
        client.destroy();
        server.destroy();
      });
    }
  }
}

function strike({ client, server }: Pair, fault: Fault): void {
  if (fault === 'reset') client.resetAndDestroy();
  else client.destroy();
  server.destroy();
}
