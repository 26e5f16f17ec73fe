import type { Database } from '../../database/database.js';
import { CallerCache, CallerLookup, type CachedCaller } from './caller-lookup.js';

const sessionOf = (profileId: string): CachedCaller =>
  ({ caller: { profileId }, lastSeenAt: 0, expiresAt: 1e12 }) as unknown as CachedCaller;

let cache: CallerCache<CachedCaller>;
beforeEach(() => {
  cache = new CallerCache();
});

it('knows a session for five seconds', () => {
  cache.keeper()('token', sessionOf('p'), 1000);
  expect(cache.get('token', 5999)).toBeDefined();
  expect(cache.get('token', 6000)).toBeUndefined();
});

it('forgets the sessions of a profile that changed, and no others', () => {
  cache.keeper()('one', sessionOf('p'), 0);
  cache.keeper()('two', sessionOf('p'), 0);
  cache.keeper()('three', sessionOf('q'), 0);
  cache.forget('p');
  expect(['one', 'two', 'three'].map((token) => cache.get(token, 0) !== undefined)).toEqual([false, false, true]);
});

it.each([
  ['a change', () => cache.forget('p')],
  ['a change of any other profile', () => cache.forget('q')],
  ['a connection that was lost', () => cache.clear()],
])('keeps nothing that was looked up before %s and came back after it', (_, happens) => {
  const keep = cache.keeper();
  happens();
  keep('token', sessionOf('p'), 0);
  expect(cache.get('token', 0)).toBeUndefined();
});

it('forgets the oldest of too many', () => {
  for (let i = 0; i <= 10_000; i++) cache.keeper()(`t${i}`, sessionOf('p'), 0);
  expect(cache.get('t0', 0)).toBeUndefined();
  expect(cache.get('t1', 0)).toBeDefined();
  expect(cache.get('t10000', 0)).toBeDefined();
});

it('made-up credentials push no known one out of memory', async () => {
  const db = { onNotification: () => true } as unknown as Database;
  const read = (text: string): Promise<CachedCaller | undefined> =>
    Promise.resolve(text === 'known' ? sessionOf('p') : undefined);
  const lookup = new CallerLookup(db, { isWellFormed: () => true, read });
  await lookup.read('known', 0);
  for (let i = 0; i <= 10_000; i++) await lookup.read(`made up ${i}`, 0);
  expect(lookup.cached('known', 0)).toBeDefined();
});
