import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { Connections, StatementNames } from './connections.js';
import { toDomainError } from './database-errors.js';
import { Outage } from './outage.js';

let outage: Outage;
let pool: EventEmitter;

beforeEach(() => {
  jest.useFakeTimers();
  outage = new Outage();
  pool = new EventEmitter();
  outage.watch(pool as Pool);
});
afterEach(() => jest.useRealTimers());

it('a single broken connection is no total outage while others work', () => {
  for (let n = 0; n < 20; n++) {
    pool.emit('release');
    if (n % 5 === 0) pool.emit('release', new Error('Connection terminated'));
    expect([outage.isOn, outage.isTotalFor(1_000)]).toEqual([true, false]);
    jest.advanceTimersByTime(100);
  }
});

it('an outage is total once no connection has worked for that long, until one works again', () => {
  pool.emit('release');
  jest.advanceTimersByTime(900);
  outage.failed(new Error('timeout'));
  expect(outage.isTotalFor(1_000)).toBe(false);
  jest.advanceTimersByTime(100);
  expect(outage.isTotalFor(1_000)).toBe(true);
  pool.emit('release');
  expect([outage.isOn, outage.isTotalFor(1_000)]).toEqual([true, false]);
});

it('a database that is not used is not out', () => {
  jest.advanceTimersByTime(60_000);
  expect(outage.isTotalFor(1_000)).toBe(false);
});

it('a connection that is closed because it has kept enough statements is no failure', () => {
  const error = jest.fn();
  outage.logTo({ error, info: jest.fn() });
  for (const released of [true, false, null, undefined]) pool.emit('release', released);
  expect([outage.isOn, error.mock.calls]).toEqual([false, []]);
});

it.each([
  ['the name of the server is unknown', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
  ['the network is away', { code: 'ENETUNREACH', syscall: 'connect' }],
  ['the password is wrong', { code: '28P01' }],
  ['the role may not connect', { code: '42501' }],
  ['the database does not exist', { code: '3D000' }],
  ['a pooler cannot reach its server', { code: '08P01' }],
])('a connection that cannot be opened is an outage: %s', async (_, fields) => {
  const failure = Object.assign(new Error('failed'), fields);
  const closed = Object.assign(new EventEmitter(), { connect: () => Promise.reject(failure), options: { max: 1 } });
  const connections = new Connections(closed as unknown as Pool, new StatementNames(true));
  const error = await connections.take().catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'unavailable', status: 503, cause: failure });
  expect([connections.outage.isOn, toDomainError(error)]).toEqual([true, undefined]);
});

it('names each address that a server did not answer at', () => {
  const log = { error: jest.fn(), info: jest.fn() };
  outage.logTo(log);
  // Node's error for a name with several addresses, whose own message is empty.
  const each = ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'].map((text) => new Error(text));
  outage.failed(Object.assign(new AggregateError(each), { code: 'ECONNREFUSED' }));
  expect(log.error).toHaveBeenCalledWith(
    { err: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432' } },
    'The database is not available',
  );
});
