import { isZone, midnight } from './zones.js';

const iso = (time: number): string => new Date(time).toISOString();

it.each([
  ['2026-03-28T12:00:00Z', 'Europe/Amsterdam', 0, '2026-03-27T23:00:00.000Z'],
  // The clocks change on the 29th, whose day has 23 hours.
  ['2026-03-28T12:00:00Z', 'Europe/Amsterdam', 1, '2026-03-28T23:00:00.000Z'],
  ['2026-03-28T12:00:00Z', 'Europe/Amsterdam', 2, '2026-03-29T22:00:00.000Z'],
  ['2026-10-25T12:00:00Z', 'Europe/Amsterdam', 1, '2026-10-25T23:00:00.000Z'],
  ['2026-01-01T01:00:00Z', 'America/New_York', 0, '2025-12-31T05:00:00.000Z'],
  ['2026-01-31T12:00:00Z', 'Asia/Kolkata', 1, '2026-01-31T18:30:00.000Z'],
])('the day of %s in %s, %i days later, begins at its midnight', (time, zone, days, expected) => {
  expect(iso(midnight(Date.parse(time), zone, days))).toBe(expected);
});

it('knows the names of zones', () => {
  expect(['UTC', 'Europe/London', 'Mars/Olympus', ''].map(isZone)).toEqual([true, true, false, false]);
});
