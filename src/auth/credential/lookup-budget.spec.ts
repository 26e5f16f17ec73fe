import { setImmediate as turn } from 'node:timers/promises';
import { LookupBudget } from './lookup-budget.js';

let now: number;
let budget: LookupBudget;
beforeEach(() => {
  now = 1e12;
  budget = new LookupBudget({ now: () => new Date(now) });
});

/** A lookup that a test answers when it likes. */
function begin(token: string, address = '192.0.2.1') {
  let answer!: (found: string | undefined) => void;
  let begun = false;
  const outcome = budget
    .spend(token, 'unmarked', address, () => {
      begun = true;
      return new Promise<string | undefined>((resolve) => (answer = resolve));
    })
    .catch((error: Error) => error.message);
  return { begun: () => begun, answer: (found?: string) => answer(found), outcome };
}
const many = (count: number, name: string) => Array.from({ length: count }, (_, n) => begin(`${name}${n}`));

it('lets a hundred be in flight; what is more waits, and goes on for each that turns out good', async () => {
  const first = many(100, 'a');
  const more = many(3, 'b');
  await turn();
  expect(first.every(({ begun }) => begun())).toBe(true);
  expect(more.map(({ begun }) => begun())).toEqual([false, false, false]);
  first[0]!.answer('caller');
  await turn();
  expect(more.map(({ begun }) => begun())).toEqual([true, false, false]);
  for (const { answer } of first.slice(1, 3)) answer('caller');
  await turn();
  expect(more.map(({ begun }) => begun())).toEqual([true, true, true]);
});

it('refuses those who wait when a hundred have failed', async () => {
  const first = many(100, 'a');
  const more = many(2, 'b');
  await turn();
  for (const { answer } of first) answer();
  for (const { outcome } of more) expect(await outcome).toMatch(/^Too many requests .* in 60 seconds$/);
});

it('lets nobody wait for ever: not where the token that a place was for turned out good', async () => {
  const first = [begin('same'), ...many(99, 'a')];
  const more = [begin('same'), begin('other')];
  await turn();
  for (const { answer } of first.slice(1)) answer();
  await turn();
  expect(more.map(({ begun }) => begun())).toEqual([false, false]);
  first[0]!.answer('caller');
  await turn();
  expect(more.map(({ begun }) => begun())).toEqual([true, true]);
});

it('lets nobody wait for ever: not where the window ends meanwhile', async () => {
  const first = many(100, 'a');
  const more = many(2, 'b');
  await turn();
  for (const { answer } of first.slice(0, 50)) answer();
  await turn();
  now += 60_000;
  first[50]!.answer();
  await turn();
  expect(more.map(({ begun }) => begun())).toEqual([true, true]);
});

it('counts no lookup that the database could not make', async () => {
  for (let n = 0; n < 200; n++) {
    const failing = budget.spend(`t${n}`, 'unmarked', '192.0.2.1', () => Promise.reject(new Error('down')));
    await expect(failing).rejects.toThrow('down');
  }
});

it('forgets the address that was used least lately of too many', async () => {
  const fail = (address: string): Promise<unknown> =>
    budget.spend('t', 'unmarked', address, () => Promise.resolve(undefined));
  for (let n = 0; n < 100; n++) await fail('192.0.2.1');
  await expect(fail('192.0.2.1')).rejects.toThrow('Too many requests');
  for (let n = 0; n < 10_000; n++) await fail(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  await expect(fail('192.0.2.1')).resolves.toBeUndefined();
});

it('counts a credential that was issued by itself, whatever its address has tried', async () => {
  const unknown = (text: string, origin: 'issued' | 'unmarked'): Promise<unknown> =>
    budget.spend(text, origin, '192.0.2.1', () => Promise.resolve(undefined));
  for (let n = 0; n < 100; n++) await unknown(`t${n}`, 'unmarked');
  await expect(unknown('t', 'unmarked')).rejects.toThrow('Too many requests');
  const found = budget.spend('mine', 'issued', '192.0.2.1', () => Promise.resolve('caller'));
  await expect(found).resolves.toBe('caller');
  for (let n = 0; n < 100; n++) await unknown('ended', 'issued');
  await expect(unknown('ended', 'issued')).rejects.toThrow('Too many requests');
  await expect(unknown('other', 'issued')).resolves.toBeUndefined();
});
