import { Pace } from './pace.js';

it('lets a few pieces begin in one turn of the event loop, in their order', async () => {
  const pace = new Pace(3);
  const begun: number[] = [];
  const all = Promise.all(Array.from({ length: 7 }, (_, i) => pace.turn().then(() => begun.push(i))));
  const seen: number[] = [];
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(begun.length);
  }
  await all;
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  // Never more than three more than the turn before.
  expect(seen.every((count, turn) => count <= 3 * (turn + 1))).toBe(true);
  expect(seen[0]).toBeLessThan(7);
});

it('goes on after a pause', async () => {
  const pace = new Pace(1);
  await pace.turn();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await expect(pace.turn()).resolves.toBeUndefined();
});
