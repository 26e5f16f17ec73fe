import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Fault = 'none' | 'cut' | 'reset' | 'stall';
type Side = 'request' | 'response';

interface Pair {
  client: Socket;
  server: Socket;
  /** Data in both directions is lost without an error. */
  silent: boolean;
  /** Whether a request waits for its response. */
  isAsked: boolean;
  /** Bytes of the response so far. */
  received: number;
}

/**
 * A proxy between the service and PostgreSQL. It simulates network faults and counts messages. It sees requests and responses, without
 * parsing them.
 */
export class DatabaseProxy {
  private readonly pairs = new Set<Pair>();
  private trap?: { port: number; side: Side; fault: Fault; sprung: () => void };
  /** Number of connections so far, including broken ones. */
  accepted = 0;
  /** Number of requests so far that the database responded to. */
  roundTrips = 0;
  /** Bytes of the longest response so far. */
  longestResponse = 0;
  /** The fault of new connections: `stall` accepts them and sends nothing. */
  onConnect: Fault = 'none';

  private constructor(
    private readonly listener: Server,
    private readonly target: { host: string; port: number },
  ) {}

  /** @param url connection string of the database */
  static async open(url: string): Promise<DatabaseProxy> {
    const { hostname, port } = new URL(url);
    const listener = createServer();
    const proxy = new DatabaseProxy(listener, { host: hostname, port: Number(port || 5432) });
    listener.on('connection', (client) => proxy.accept(client));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** A connection string that leads through the proxy. */
  through(url: string): string {
    const { port } = this.listener.address() as AddressInfo;
    return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).toString();
  }

  get open(): number {
    return this.pairs.size;
  }

  /**
   * Waits once for the next message on a connection. A `request` never reaches the server. A lost `response` belongs to a request that
   * the server has executed.
   * @param port of the connection as the server sees it, as `inet_client_port()` and `pg_stat_activity` show it
   */
  onNext(port: number, side: Side, fault: Fault): Promise<void> {
    return new Promise((sprung) => (this.trap = { port, side, fault, sprung }));
  }

  /** Breaks a connection. @param port as for `onNext` */
  break(port: number, fault: Fault): void {
    for (const pair of this.pairs) if (pair.server.localPort === port) strike(pair, fault);
  }

  /** Breaks all open connections. */
  breakAll(fault: 'cut' | 'reset'): void {
    for (const pair of this.pairs) strike(pair, fault);
  }

  /** Makes all open connections lose their data. */
  silenceAll(): void {
    for (const pair of this.pairs) strike(pair, 'stall');
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
    const pair: Pair = { client, server, silent: this.onConnect === 'stall', isAsked: false, received: 0 };
    this.pairs.add(pair);
    client.on('data', (chunk) => {
      if (this.isLost(pair, 'request')) return;
      if (!pair.isAsked) pair.received = 0;
      pair.isAsked = true;
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (this.isLost(pair, 'response')) return;
      if (pair.isAsked) this.roundTrips++;
      pair.isAsked = false;
      pair.received += chunk.length;
      this.longestResponse = Math.max(this.longestResponse, pair.received);
      client.write(chunk);
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

  /** Whether a message is dropped. Resolves the promise that waits for it. */
  private isLost(pair: Pair, side: Side): boolean {
    const { trap } = this;
    if (!pair.silent && trap?.side === side && trap.port === pair.server.localPort) {
      this.trap = undefined;
      strike(pair, trap.fault);
      trap.sprung();
      return true;
    }
    return pair.silent;
  }
}

function strike(pair: Pair, fault: Fault): void {
  if (fault === 'stall') {
    pair.silent = true;
    return;
  }
  if (fault === 'reset') pair.client.resetAndDestroy();
  else pair.client.destroy();
  pair.server.destroy();
}
