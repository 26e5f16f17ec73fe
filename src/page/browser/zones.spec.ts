import { inFull } from '../../../test/support/size.js';
import { instantIn, isZone, localIn, midnight } from './zones.js';

const iso = (time: number): string => new Date(time).toISOString();

it.each([
  ['2026-03-28T12:00:00Z', 'Europe/Amsterdam', 0, '2026-03-27T23:00:00.000Z'],
  // The clocks change on the 29th, whose day has 23 hours.
  ['2026-03-28T12:00:00Z', 'Europe/Amsterdam', 1, '2026-03-28T23:00:00.000Z'],
  ['2026-03-28T12:00:00Z', 'Europe/Amsterdam', 2, '2026-03-29T22:00:00.000Z'],
  ['2026-10-25T12:00:00Z', 'Europe/Amsterdam', 1, '2026-10-25T23:00:00.000Z'],
  ['2026-01-01T01:00:00Z', 'America/New_York', 0, '2025-12-31T05:00:00.000Z'],
  ['2026-01-31T12:00:00Z', 'Asia/Kolkata', 1, '2026-01-31T18:30:00.000Z'],
  // The clocks go forward over midnight: the day begins at 01:00.
  ['2026-03-07T17:00:00Z', 'America/Havana', 1, '2026-03-08T05:00:00.000Z'],
  ['2026-09-05T16:00:00Z', 'America/Santiago', 1, '2026-09-06T04:00:00.000Z'],
  ['2026-03-28T12:00:00Z', 'Atlantic/Azores', 1, '2026-03-29T01:00:00.000Z'],
  ['2026-04-23T10:00:00Z', 'Africa/Cairo', 1, '2026-04-23T22:00:00.000Z'],
  // They go back over it: the day has two midnights, or the one before it has 23:00 twice.
  ['2026-10-24T12:00:00Z', 'Atlantic/Azores', 1, '2026-10-25T00:00:00.000Z'],
  ['2026-10-31T12:00:00Z', 'America/Havana', 1, '2026-11-01T04:00:00.000Z'],
  ['2026-04-04T12:00:00Z', 'America/Santiago', 1, '2026-04-05T04:00:00.000Z'],
  // 23:30 became 00:30.
  ['1919-03-30T12:00:00Z', 'America/Toronto', 1, '1919-03-31T04:30:00.000Z'],
])('the day of %s in %s, %i days later, begins at its midnight', (time, zone, days, expected) => {
  expect(iso(midnight(Date.parse(time), zone, days))).toBe(expected);
});

// Most zones have the rules of another one, so that every fifteenth shows as much.
const zones = Intl.supportedValuesOf('timeZone').filter((_, at) => inFull || at % 15 === 0);

it('goes through the days of every zone, each of which begins with its own date', () => {
  for (const zone of zones) {
    const dates = new Set<string>();
    let time = midnight(Date.parse('2026-01-01T12:00:00Z'), zone);
    for (let day = 0; day < 365; day++, time = midnight(time, zone, 1)) {
      dates.add(localIn(time, zone).slice(0, 10));
      if (localIn(time - 1000, zone).slice(0, 10) === localIn(time, zone).slice(0, 10))
        throw new Error(`${zone} ${iso(time)}`);
    }
    expect([zone, dates.size]).toEqual([zone, 365]);
  }
});

it('keeps a time in the hour that clocks show twice on its side', () => {
  const [first, second] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((text) => Date.parse(text));
  const zone = 'Europe/Amsterdam';
  expect([first, second].map((time) => localIn(time!, zone))).toEqual(['2026-10-25T02:30', '2026-10-25T02:30']);
  expect(instantIn('2026-10-25T02:31', zone)).toBe(first! + 60_000);
  expect(instantIn('2026-10-25T02:31', zone, first)).toBe(first! + 60_000);
  expect(instantIn('2026-10-25T02:31', zone, second)).toBe(second! + 60_000);
  expect(instantIn('2026-03-29T02:30', zone)).toBeUndefined();
});

it('knows the names of zones', () => {
  expect(['UTC', 'Europe/London', 'Mars/Olympus', ''].map(isZone)).toEqual([true, true, false, false]);
});
