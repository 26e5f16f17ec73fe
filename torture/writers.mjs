// Clients that write and read continuously, and keep a ledger of the changes that the service has acknowledged.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const CREATORS = 6;
const CHANGERS = 5;
const RECEIVERS = 5;

/** Creates records, and reads some of them back. */
class Creator {
  created = new Map();
  n = 0;

  constructor(index) {
    this.index = index;
  }

  async setUp() {}

  async step(ask) {
    const name = `runbook ${this.index}-${++this.n}`;
    const answer = await ask('POST', '/api/runbooks', { name });
    if (answer.status !== 201) return;
    const { id } = answer.body.data;
    this.created.set(id, name);
    const read = await ask('GET', `/api/runbooks/${id}`);
    if (read.status === 200 && read.body.data.name !== name) throw new Error(`${id} reads back with another name`);
  }

  get acknowledged() {
    return this.created.size;
  }

  lost({ runbooks }) {
    return [...this.created].filter(([id, name]) => runbooks.get(id)?.name !== name).length;
  }
}

/** Changes one record, to the next number each time. */
class Changer {
  sent = 0;
  kept = 0;
  acknowledged = 0;

  async setUp(api) {
    this.id = (await api.must('POST', '/api/known-issues', { name: 'storm', workaround: '0' })).data.id;
  }

  async step(ask) {
    const number = ++this.sent;
    const answer = await ask('PATCH', `/api/known-issues/${this.id}`, { workaround: String(number) });
    if (answer.status !== 200) return;
    this.kept = number;
    this.acknowledged++;
  }

  // A later change may have been stored without an acknowledgement.
  lost({ issues }) {
    const stored = Number(issues.get(this.id)?.workaround);
    return stored >= this.kept && stored <= this.sent ? 0 : 1;
  }
}

/** Receives units of both lines of an order, and repeats requests without a response with the same key. */
class Receiver {
  assets = [];
  units = 0;
  acknowledged = 0;

  async setUp(api) {
    const item = { name: 'unit', quantity: 1_000_000 };
    const order = { orderNumber: `storm-${randomUUID()}`, items: [item, item] };
    this.order = (await api.must('POST', '/api/purchase-orders', order)).data;
  }

  async step(ask) {
    this.pending ??= { key: randomUUID(), units: 1 + (this.acknowledged % 5) };
    const { key, units } = this.pending;
    const answer = await ask(
      'POST',
      `/api/purchase-orders/${this.order.id}/receive`,
      {
        items: this.order.items.map(({ id: itemId }) => ({
          itemId,
          quantity: units,
          assets: Array.from({ length: units }, () => ({})),
        })),
      },
      { 'idempotency-key': key },
    );
    if (answer.status !== 200) return;
    for (const id of answer.body.data.assetIds) this.assets.push(id);
    this.units += units;
    this.acknowledged++;
    this.pending = undefined;
  }

  lost({ assets }) {
    return this.assets.filter((id) => assets.get(id)?.purchaseOrderId !== this.order.id).length;
  }

  /** Describes a contradiction between the order and its assets; nothing if there is none. */
  disagreement({ orders, assets }) {
    const { items } = orders.get(this.order.id);
    const [first, second] = items.map(({ quantityReceived }) => quantityReceived);
    const made = [...assets.values()].filter(({ purchaseOrderId }) => purchaseOrderId === this.order.id).length;
    if (first !== second) return `half of a receive: ${first} and ${second} units`;
    if (first + second !== made) return `${first + second} units received, ${made} assets`;
    const possible = [this.units, this.units + (this.pending?.units ?? 0)];
    return possible.includes(first) ? undefined : `${first} units of a line, expected ${possible.join(' or ')}`;
  }
}

/** Sixteen clients that create, change and receive. */
const usualClients = () => [
  ...Array.from({ length: CREATORS }, (_, index) => new Creator(index)),
  ...Array.from({ length: CHANGERS }, () => new Changer()),
  ...Array.from({ length: RECEIVERS }, () => new Receiver()),
];

/** Clients, each with its own connection. */
export class Writers {
  /** Every response: its time, duration, status and client. */
  answers = [];
  /** Number of requests without a response. */
  unanswered = 0;

  /** @param api its `url` may change while the writers are paused */
  static async make(api, clients = usualClients()) {
    const writers = new Writers();
    writers.api = api;
    writers.clients = clients;
    for (const client of writers.clients) await client.setUp(api);
    return writers;
  }

  /** Starts the clients, which work until `rest`. */
  start() {
    this.resting = false;
    this.work = Promise.all(this.clients.map((client, index) => this.loop(client, index)));
  }

  async rest() {
    this.resting = true;
    await this.work;
  }

  async loop(client, writer) {
    const ask = async (...request) => {
      const answer = await this.api.request(...request);
      this.answers.push({ at: performance.now(), ms: answer.ms, status: answer.status, writer });
      // Deliberately sooner than `Retry-After` asks.
      if (answer.status >= 300) await sleep(50);
      return answer;
    };
    while (!this.resting) {
      try {
        await client.step(ask);
      } catch (error) {
        // `fetch` throws a TypeError if there is no response. Anything else is a bug.
        if (!(error instanceof TypeError)) throw error;
        this.unanswered++;
        await sleep(20);
      }
    }
  }

  get acknowledged() {
    return this.clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** Compares stored data with the ledger: how many acknowledged changes are missing, and what is inconsistent. */
  async audit() {
    const [runbooks, issues, orders, assets] = await Promise.all(
      ['runbooks', 'known-issues', 'purchase-orders', 'assets'].map((resource) => this.api.all(`/api/${resource}`)),
    );
    const stored = { runbooks, issues, orders, assets };
    for (const client of this.clients) await client.look?.(this.api);
    const lost = this.clients.reduce((sum, client) => sum + client.lost(stored), 0);
    const disagreements = this.clients.flatMap((client) => client.disagreement?.(stored) ?? []);
    return { lost, disagreements, assets: assets.size };
  }

  /** The number of responses by status, for example `201: 12`. */
  statuses() {
    const counts = new Map();
    for (const { status } of this.answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    return counts;
  }
}
