// Kills the service with kill -9 in the middle of receives and reversals, on both databases.
import { randomInt, randomUUID } from 'node:crypto';
import { killed } from './service-killed.mjs';
import { count, PostgresServer, temporaryDirectory } from './support.mjs';

const ORDERS = 4;
const STOREKEEPERS_OF_AN_ORDER = 4;
const UNITS_OF_A_LINE = 15;

/** An order of two lines, with its receipts. */
class Stock {
  receipts = new Map();

  setUp(api) {
    const item = { name: 'unit', quantity: UNITS_OF_A_LINE };
    const order = { orderNumber: `storm-${randomUUID()}`, items: [item, item] };
    return (this.made ??= api.must('POST', '/api/purchase-orders', order).then(({ data }) => (this.order = data)));
  }

  get path() {
    return `/api/purchase-orders/${this.order.id}`;
  }
}

/** Receives units of both lines of an order, and reverses receipts, also those of others. */
class Storekeeper {
  received = [];
  reversed = [];
  acknowledged = 0;

  /** @param leads whether it compares the order with its receipts */
  constructor(stock, leads) {
    this.stock = stock;
    this.leads = leads;
  }

  setUp(api) {
    return this.stock.setUp(api);
  }

  async step(ask) {
    this.pending ??= await this.next(ask);
    if (!this.pending) return;
    const { path, body, key, receipt } = this.pending;
    const answer = await ask('POST', path, body, { 'idempotency-key': key });
    if (answer.status >= 500) return;
    // The refusal means that another request was faster.
    this.pending = undefined;
    if (answer.status !== 200) return;
    this.acknowledged++;
    if (receipt) this.reversed.push(receipt);
    else this.received.push(answer.body.data.assetIds);
  }

  async next(ask) {
    const { path, order } = this.stock;
    if (randomInt(2) === 0) {
      const quantity = randomInt(1, 5);
      const items = order.items.map(({ id: itemId }) => ({
        itemId,
        quantity,
        assets: Array.from({ length: quantity }, () => ({})),
      }));
      return { path: `${path}/receive`, body: { items }, key: randomUUID() };
    }
    const open = await ask('GET', `${path}/receipts?reversedAt__empty=true`);
    if (open.status !== 200 || open.body.data.length === 0) return undefined;
    const { id } = open.body.data[randomInt(open.body.data.length)];
    return { path: `${path}/receipts/${id}/reverse`, key: randomUUID(), receipt: id };
  }

  async look(api) {
    if (this.leads) this.stock.receipts = await api.all(`${this.stock.path}/receipts`);
  }

  /** Acknowledged receives without a receipt, and acknowledged reversals without effect. */
  lost() {
    const all = [...this.stock.receipts.values()];
    const made = new Map(all.flatMap((receipt) => assetsOf(receipt).map((id) => [id, receipt.id])));
    const receives = this.received.filter(
      (ids) => !made.has(ids[0]) || ids.some((id) => made.get(id) !== made.get(ids[0])),
    );
    const reversals = this.reversed.filter((id) => this.stock.receipts.get(id)?.reversedAt === null);
    return receives.length + reversals.length;
  }

  /** Describes a contradiction between the order, its receipts and its assets; nothing if there is none. */
  disagreement({ orders, assets }) {
    if (!this.leads) return undefined;
    const { id, items, status, receivedDate } = orders.get(this.stock.order.id);
    const all = [...this.stock.receipts.values()];
    const kept = all.filter(({ reversedAt }) => reversedAt === null).flatMap(assetsOf);
    const existing = [...assets.values()].filter(({ purchaseOrderId }) => purchaseOrderId === id);
    const [first, second] = items.map(({ quantityReceived }) => quantityReceived);
    if (first !== second) return `half of a request: ${first} and ${second} units`;
    if (first + second !== kept.length) return `${first + second} units received, ${kept.length} on receipts`;
    if (existing.length !== kept.length || !kept.every((asset) => assets.has(asset))) {
      return `${kept.length} assets on receipts, ${existing.length} exist`;
    }
    const expected = first === UNITS_OF_A_LINE ? 'received' : first > 0 ? 'partially_received' : 'ordered';
    if (status !== expected) return `${first} units of each line, and the order is ${status}`;
    return (receivedDate !== null) === (status === 'received') ? undefined : `${status} with the date ${receivedDate}`;
  }
}

const assetsOf = ({ items }) => items.flatMap(({ assetIds }) => assetIds);

const storekeepers = () =>
  Array.from({ length: ORDERS }, () => new Stock()).flatMap((stock) =>
    Array.from({ length: STOREKEEPERS_OF_AN_ORDER }, (_, index) => new Storekeeper(stock, index === 0)),
  );

export default async function receipts({ check, say, times = 20 }) {
  const directory = temporaryDirectory();
  const server = await PostgresServer.make();
  for (const [database, settings] of [
    ['embedded database', { DATA_DIR: directory.path }],
    ['PostgreSQL server', { DATABASE_URL: server.url }],
  ]) {
    const { writers, lost, disagreements } = await killed({ settings, times, say, clients: storekeepers() });
    const sum = (of) => writers.clients.reduce((total, client) => total + client[of].length, 0);
    check({
      what: `${times} × kill -9, ${database}: missing acknowledged receives and reversals`,
      asked: 'none',
      reached: `${lost} of ${count(sum('received'))} receives and ${count(sum('reversed'))} reversals; ${count(writers.unanswered)} requests had no response`,
      kept: lost === 0 && sum('received') > 0 && sum('reversed') > 0,
    });
    check({
      what: 'Orders whose `quantityReceived`, status or `receivedDate` does not follow from the assets of their unreversed receipts',
      asked: 'none',
      reached: disagreements.length === 0 ? 'none' : disagreements.join('; '),
      kept: disagreements.length === 0,
    });
    check({
      what: 'Responses at 500 or above other than 503',
      asked: 'none',
      reached: count([...writers.statuses()].filter(([status]) => status >= 500 && status !== 503).length),
      kept: ![...writers.statuses().keys()].some((status) => status >= 500 && status !== 503),
    });
  }
  directory.remove();
  await server.remove();
}
