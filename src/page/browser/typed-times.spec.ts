import { typedDate, typedTime, writtenTime } from './typed-times.js';

// A Sunday, 22:13 in Amsterdam.
const NOW = Date.parse('2026-11-29T21:13:44Z');
const read = (text: string): string | undefined => typedTime(text, 'Europe/Amsterdam', NOW);

it.each([
  ['now', '2026-11-29T22:13'],
  ['tomorrow 22:00', '2026-11-30T22:00'],
  ['Tomorrow at 9', '2026-11-30T09:00'],
  ['yesterday', '2026-11-28T00:00'],
  ['today 9pm', '2026-11-29T21:00'],
  ['22:00', '2026-11-29T22:00'],
  ['9:05 pm', '2026-11-29T21:05'],
  ['fri 9', '2026-12-04T09:00'],
  ['Sunday 9:30', '2026-12-06T09:30'],
  ['1.12. 9:00', '2026-12-01T09:00'],
  ['1.12.', '2026-12-01T00:00'],
  // The nearest: two months ahead, and not ten ago.
  ['1.2. 9:00', '2027-02-01T09:00'],
  ['1.10. 9:00', '2026-10-01T09:00'],
  ['24 Dec 22:00', '2026-12-24T22:00'],
  ['Dec 24, 22:00', '2026-12-24T22:00'],
  ['dec 24 9 pm', '2026-12-24T21:00'],
  ['1.12.2026 9:00', '2026-12-01T09:00'],
  ['1.12.26', '2026-12-01T00:00'],
  ['2026-12-24', '2026-12-24T00:00'],
  ['2026-12-24T22:00', '2026-12-24T22:00'],
  ['2026-12-24 22:00:30', '2026-12-24T22:00:30'],
  // An offset is that of the text.
  ['2026-12-24T22:00Z', '2026-12-24T23:00'],
  ['2026-07-24T22:00:00.000Z', '2026-07-25T00:00'],
  ['+2h', '2026-11-30T00:13'],
  ['in 3 days', '2026-12-02T22:13'],
  ['+90 min', '2026-11-29T23:43'],
])('reads %s as %s', (text, time) => expect(read(text)).toBe(time));

it.each(['', 'SRV-12', '31.2.', '1', '2026', 'tomorrow 25:00', 'fry 9', 'noon', '+2y', '12:75', 'tomorrow x'])(
  'takes no time from %j',
  (text) => expect(read(text)).toBeUndefined(),
);

it('reads a date alone', () => {
  expect(typedDate('2026-12-24 22:00', 'UTC')).toBe('2026-12-24');
  expect(typedDate('soon', 'UTC')).toBeUndefined();
});

it.each(['2026-12-24T22:00', '2026-12-24T09:05:30', '2026-12-24', '2026-01-02T00:00'])(
  'writes %s so that it is read as the same',
  (local) => {
    const written = writtenTime(local);
    expect(written).not.toBe(local);
    expect(typedTime(written, 'UTC')?.slice(0, local.length)).toBe(local);
  },
);

it('writes nothing for none', () => expect([writtenTime(null), writtenTime('')]).toEqual(['', '']));
