import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
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
