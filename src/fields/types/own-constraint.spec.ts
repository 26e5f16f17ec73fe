import { validateSync } from 'class-validator';
import { HasNoHostBits, IsAddressWithPrefix } from './cidr.js';
import { IsDecimalText, IsMultipleOf } from './number.js';
import { eachEntry } from './own-constraint.js';
import { IsEmailAddress, IsNotBlank, IsNotWithheld, IsStorableText, MaxCodePoints, MinCodePoints } from './text.js';
import { IsTimeZoneName } from './time-zone.js';
import { IsCalendarDate, IsInstant, IsLocalInEveryZone, IsLocalTime } from './time.js';

/** The constraints of class-validator that refuse a value, with their sentences. */
function refusals(decorate: PropertyDecorator, value: unknown): Record<string, string> {
  class Body {
    value = value;
  }
  decorate(Body.prototype, 'value');
  return validateSync(new Body())[0]?.constraints ?? {};
}

const SENTENCE = { message: 'is not good' };

describe.each<[string, PropertyDecorator, string | RegExp, unknown[], unknown[]]>([
  ['isStorableText', IsStorableText(), /^must not contain NUL/, ['', 'é😀'], ['a\0', '\ud800', 1]],
  ['isNotBlank', IsNotBlank(), 'must not be blank', ['a', ' a'], ['', ' \t\u200b', 1]],
  ['isNotWithheld', IsNotWithheld(), /^must not be \(withheld\)/, ['', 'withheld'], ['(withheld)', 1]],
  ['minCodePoints', MinCodePoints(2), 'must be at least 2 characters long', ['ab', '😀😀'], ['a', '😀', 12]],
  ['maxCodePoints', MaxCodePoints(2), 'must be at most 2 characters long', ['', '😀😀'], ['abc', 'ab\ufe0f', 1]],
  ['isEmailAddress', IsEmailAddress(), /^must be an email address/, ['a@b.cd'], ['a@b', 'a b@c.de', 1]],
  ['isDecimalText', IsDecimalText(), /^must be a decimal number/, ['0', '-1.5'], ['-0', '01', '+1', '1.', 1]],
  ['isMultipleOf', IsMultipleOf(0.5), 'must be a multiple of 0.5', [0, 1, -1.5], [0.25, '1', Infinity]],
  [
    'isInstant',
    IsInstant(),
    /^must be an ISO 8601/,
    ['2026-03-01', '2026-03-01T08:30Z'],
    ['2026-W10', '0000-01-01', 1],
  ],
  ['isCalendarDate', IsCalendarDate(), /^must be a date/, ['2024-02-29'], ['2026-02-29', '2026-3-1', 1]],
  ['isLocalTime', IsLocalTime(), /without an offset/, ['2026-03-01T08:30'], ['2026-03-01T08:30Z', 1]],
  ['isLocalInEveryZone', IsLocalInEveryZone(), /^must be between/, ['0001-01-02'], ['0001-01-01', '9999-12-31', 1]],
  [
    'isTimeZoneName',
    IsTimeZoneName(),
    /^must be the IANA name/,
    ['Europe/Paris'],
    ['+01:00', 'CET', 'europe/paris', 1],
  ],
  ['isAddressWithPrefix', IsAddressWithPrefix(SENTENCE), 'is not good', ['10.0.0.1/8'], ['10.0.0.1', '10.0.0.1/33', 1]],
  ['hasNoHostBits', HasNoHostBits(SENTENCE), 'is not good', ['10.0.0.0/8', '::/0'], ['10.0.0.1/8', 'x', 1]],
])('%s', (name, decorator, sentence, accepted, refused) => {
  it.each(accepted.map((value) => [value]))('accepts %j', (value) => expect(refusals(decorator, value)).toEqual({}));
  it.each(refused.map((value) => [value]))('refuses %j', (value) =>
    expect(refusals(decorator, value)).toEqual({
      [name]: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    }),
  );
});

it('names the first entry of a list that a constraint refuses', () => {
  const decorator = MaxCodePoints(
    2,
    eachEntry('is too long', (entry) => String(entry).length <= 2),
  );
  expect(refusals(decorator, ['a', 'abc', 'abcd'])).toEqual({ maxCodePoints: '[1] is too long' });
  expect(refusals(decorator, ['a', 'ab'])).toEqual({});
});
