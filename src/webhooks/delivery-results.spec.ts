import { resultOf, RETRY_AFTER } from './delivery-results.js';

const now = Date.parse('2026-03-01T08:00:00Z');
const after = (attempts: number, response: object): [string, number | null] => {
  const { status, retryIn } = resultOf('d', attempts, response, 12, now);
  return [status, retryIn];
};

it('retries on a schedule, and gives up after it', () => {
  const schedule = RETRY_AFTER.map((_, index) => after(index + 1, { status: 500 })[1]);
  expect(schedule).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect(after(10, { status: 500 })).toEqual(['failed', null]);
});

it.each([
  ['200', { status: 200 }, 'succeeded', null],
  ['204', { status: 204 }, 'succeeded', null],
  ['a redirect', { status: 302 }, 'pending', 5],
  ['a client error', { status: 404 }, 'pending', 5],
  ['410', { status: 410 }, 'failed', null],
  ['no response', { error: 'timeout' }, 'pending', 5],
  ['a refused address', { error: 'address_refused' }, 'pending', 5],
  ['seconds to wait', { status: 503, retryAfter: '120' }, 'pending', 120],
  ['a date to wait for', { status: 503, retryAfter: 'Sun, 01 Mar 2026 08:10:00 GMT' }, 'pending', 600],
  ['a date in the past', { status: 429, retryAfter: 'Sun, 01 Mar 2026 07:00:00 GMT' }, 'pending', 0],
  ['more than a day to wait', { status: 503, retryAfter: '999999' }, 'pending', 86_400],
  ['nonsense to wait', { status: 503, retryAfter: 'soon' }, 'pending', 5],
])('judges %s', (_what, response, status, retryIn) => {
  expect(after(1, response)).toEqual([status, retryIn]);
});
