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
  ['a date in the form of RFC 850', { status: 503, retryAfter: 'Sunday, 01-Mar-26 08:10:00 GMT' }, 'pending', 600],
  ['a date in the form of asctime', { status: 503, retryAfter: 'Sun Mar  1 08:10:00 2026' }, 'pending', 600],
  ['a date in the past', { status: 429, retryAfter: 'Sun, 01 Mar 2026 07:00:00 GMT' }, 'pending', 5],
  ['no second to wait', { status: 503, retryAfter: '0' }, 'pending', 5],
  ['less than the first step', { status: 503, retryAfter: '4' }, 'pending', 5],
  ['more than a day to wait', { status: 503, retryAfter: '999999' }, 'pending', 86_400],
  ['more digits than a number has', { status: 503, retryAfter: '9'.repeat(400) }, 'pending', 86_400],
])('judges %s', (_what, response, status, retryIn) => {
  expect(after(1, response)).toEqual([status, retryIn]);
});

it.each([
  'soon',
  '',
  '120.5',
  '-1',
  '1.5',
  '+60',
  '1e2',
  '60, 60',
  '2026-03-01',
  '2026-03-01T08:10:00Z',
  'Sun, 99 Mar 2026 08:10:00 GMT',
  'Thu, 31 Feb 2028 08:10:00 GMT',
  'Monday, 31-Jun-26 08:10:00 GMT',
  'Sun Feb 30 08:10:00 2026',
  'Sun, 01 Mar 2026 24:00:00 GMT',
])('takes Retry-After: %s for absent', (retryAfter) => {
  expect(after(3, { status: 503, retryAfter })).toEqual(['pending', 1800]);
});

it('never retries sooner than after the first step, however late the attempt', () => {
  const retries = RETRY_AFTER.map((_, index) => after(index + 1, { status: 503, retryAfter: '0' })[1]);
  expect(new Set(retries)).toEqual(new Set([5]));
});
