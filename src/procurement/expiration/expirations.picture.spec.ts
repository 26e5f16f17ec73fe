import { DATED_KINDS, EXPIRATIONS } from './expiration-kinds.js';
import { drawExpirations } from './expirations.picture.js';

it('gives each kind a colour of its own, in the light and in the dark', () => {
  const drawn = drawExpirations({
    today: '2026-03-01',
    until: '2026-04-01',
    kinds: DATED_KINDS,
    entries: DATED_KINDS.map((kind) => ({
      kind,
      month: 1,
      total: 1,
      name: kind,
      date: '2026-03-10',
      amount: null,
      currency: null,
    })),
    totals: [],
  });
  for (const kind of DATED_KINDS) {
    const { light, dark } = EXPIRATIONS[kind].colour;
    const defined = [...drawn.matchAll(new RegExp(`--${kind}: ([^;]+);`, 'g'))].map(([, colour]) => colour);
    expect([kind, defined]).toEqual([kind, [light, dark]]);
    expect(drawn).toContain(`fill="var(--${kind})"`);
  }
  const colours = DATED_KINDS.flatMap((kind) => Object.values(EXPIRATIONS[kind].colour));
  expect(new Set(colours).size).toBe(colours.length);
});
