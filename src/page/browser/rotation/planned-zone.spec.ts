import { instantIn } from '../zones.js';
import { zoneOf } from './planned-zone.js';

/** Hand-overs at nine in a zone, once a week. */
const weekly = (zone: string, from: string, weeks: number): string[] =>
  Array.from({ length: weeks }, (_, at) => {
    const day = new Date(Date.parse(from) + at * 7 * 86_400_000).toISOString().slice(0, 10);
    return new Date(instantIn(`${day}T09:00`, zone)!).toISOString();
  });

it.each([
  // In March the clocks of New York change before those of Europe.
  ['Europe/Amsterdam', '2026-01-05', 20, ['America/New_York', 'UTC', 'Europe/Amsterdam', 'Europe/Paris']],
  ['America/New_York', '2026-01-05', 20, ['Europe/Amsterdam', 'UTC', 'America/New_York']],
  ['UTC', '2026-01-05', 20, ['Europe/Amsterdam', 'America/New_York', 'UTC']],
  ['Australia/Sydney', '2026-01-05', 20, ['Australia/Brisbane', 'Europe/Amsterdam', 'Australia/Sydney']],
])('weekly hand-overs in %s are planned in it', (zone, from, weeks, zones) => {
  expect(zoneOf(weekly(zone, from, weeks), zones)).toBe(zone);
  // Somebody stands in for a few hours.
  expect(zoneOf([...weekly(zone, from, weeks), '2026-04-01T13:20:00.000Z'], zones)).toBe(zone);
});

it('is the first zone where no clocks have changed, or nothing is planned', () => {
  const zones = ['Pacific/Auckland', 'Europe/Amsterdam'];
  expect(zoneOf(weekly('Europe/Amsterdam', '2026-06-01', 8), zones)).toBe('Pacific/Auckland');
  expect([zoneOf([], zones), zoneOf([], [])]).toEqual(['Pacific/Auckland', undefined]);
});
