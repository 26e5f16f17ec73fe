import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as types from './field-types.js';
import type { FieldOptions, FieldType } from './field-types.js';

/** What is stored of a value, or the fault. */
function put(type: FieldType, value: unknown, field: FieldOptions = {}): unknown {
  const fault = type.check(value, field);
  if (fault !== undefined) throw new Error(fault);
  return type.normalise ? type.normalise(value as never) : value;
}

const ajv = addFormats(new Ajv2020());
const isDocumented = (schema: Record<string, unknown>, value: unknown): boolean => ajv.validate(schema, value);

const strangers = [1, true, {}, [], ['x']];

describe('text', () => {
  const line = { maxLength: 5 };
  it.each(['', ' ', 'abcde', '😀😀😀😀😀', 'é'])('takes %p', (value) =>
    expect(put(types.text, value, line)).toBe(value),
  );
  it.each(['abcdef', '😀😀😀😀😀😀', 'a\0', '\ud800', '\udc00\ud800', 'x\udfff'])('refuses %p', (value) =>
    expect(() => put(types.text, value, line)).toThrow(),
  );
  it.each(['', ' ', '\t\n', '\u00a0'])('refuses %p where it must not be blank', (value) =>
    expect(() => put(types.text, value, { notBlank: true })).toThrow('must not be blank'),
  );

  it('takes for blank what Unicode says nobody sees, each character and all together', () => {
    const invisible: string[] = [];
    for (let code = 1; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      // Signs of Arabic, Syriac and Kaithi are formatting to Unicode, but they show.
      const shows = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u.test(character);
      const hidden = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(character) && !shows;
      if (hidden) invisible.push(character);
      const fault = types.text.check(character, { notBlank: true });
      const isBlank = fault === 'must not be blank';
      if (isBlank !== hidden) throw new Error(`U+${code.toString(16)}: ${fault}`);
      // What the document says is the same in the plane that its expression can speak of.
      if (code <= 0xffff) expect([code, new RegExp(types.VISIBLE_PATTERN).test(character)]).toEqual([code, !hidden]);
    }
    expect(invisible.length).toBeGreaterThan(4000);
    expect(types.text.check(invisible.join(''), { notBlank: true })).toBe('must not be blank');
    expect(put(types.text, `${invisible.join('')}x`, { notBlank: true })).toHaveLength(invisible.join('').length + 1);
  });
  it.each(strangers)('is never made of %p', (value) =>
    expect(() => put(types.text, value)).toThrow('must be a string'),
  );
});

describe('integer', () => {
  it.each([0, -0, 1, -2_147_483_648, 2_147_483_647, 1e3])('takes %p', (value) =>
    expect(put(types.integer, value)).toBe(value + 0),
  );
  it.each([2_147_483_648, -2_147_483_649, 1.5, Number.NaN, Infinity, '5', true, 1e300])('refuses %p', (value) =>
    expect(() => put(types.integer, value)).toThrow(),
  );
  it('keeps to the range of its field', () => {
    expect(put(types.integer, 0, { min: 0 })).toBe(0);
    expect(() => put(types.integer, -1, { min: 0 })).toThrow('between 0 and 2147483647');
  });
  it.each([
    ['5', 5],
    ['-5', -5],
    ['2147483647', 2_147_483_647],
    ['-2147483648', -2_147_483_648],
    ['2147483648', undefined],
    ['-2147483649', undefined],
    ['1.0', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['+1', undefined],
    [' 1', undefined],
    ['0x10', undefined],
    ['99999999999', undefined],
  ])('of the query %p is %p', (raw, value) => expect(types.integer.parse(raw, {})).toBe(value));
});

describe('number and halves', () => {
  it.each([0, -90, 90, 52.3563, 1e-7])('takes %p', (value) =>
    expect(put(types.number, value, { min: -90, max: 90 })).toBe(value),
  );
  it.each([90.1, -91, '1', true])('refuses %p', (value) =>
    expect(() => put(types.number, value, { min: -90, max: 90 })).toThrow(),
  );
  it.each([0, 0.5, 1, 42])('takes %p rack units', (value) => expect(put(types.halves, value)).toBe(value));
  it.each([0.25, 1.1, '1'])('refuses %p rack units', (value) => expect(() => put(types.halves, value)).toThrow());
});

describe('decimal', () => {
  it.each(['0', '1200', '1200.50', '-3.10', '0.0000000001', '12345678901234567890', '0.00'])(
    'takes %p as written',
    (value) => expect(put(types.decimal, value)).toBe(value),
  );
  it.each([
    ...['', '1,200', '1e3', '.5', '5.', '+1', '00', '01', '-0', '-0.00', ' 1', '1 ', 'NaN', 'Infinity', '1\n'],
    ...['123456789012345678901', '0.12345678901'],
    1200,
  ])('refuses %p', (value) => expect(() => put(types.decimal, value)).toThrow());
});

describe('price', () => {
  it.each(['0', '1200', '1200.5', '1200.50', '99999999.99'])('takes %p', (value) =>
    expect(put(types.price, value)).toBe(value),
  );
  it.each(['100000000', '1.005', '-1', '1e2', '', 12.5])('refuses %p', (value) =>
    expect(() => put(types.price, value)).toThrow(),
  );
});

describe('timestamp', () => {
  it.each([
    ['2026-03-01T08:30:00Z', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01T08:30:00.5Z', '2026-03-01T08:30:00.500Z'],
    ['2026-03-01T08:30:00.123999Z', '2026-03-01T08:30:00.123Z'],
    ['2026-03-01T08:30:00', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01T08:30', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T08:30:00+02:00', '2026-03-01T06:30:00.000Z'],
    ['2026-03-01T08:30:00-0530', '2026-03-01T14:00:00.000Z'],
    ['2026-03-01T00:30:00+01', '2026-02-28T23:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('of %p is %p', (value, stored) => {
    expect(put(types.timestamp, value)).toBe(stored);
    expect(types.timestamp.parse(value, {})).toBe(stored);
  });
  it.each([
    ...['', 'now', 'yesterday', 'infinity', '2026', '2026-03', '20260301', '01.03.2026', '2026-3-1', ' 2026-03-01'],
    ...['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01'],
    ...['2026-03-01T24:00:00Z', '2026-03-01T08:60:00Z', '2026-03-01T08:30:60Z', '2026-03-01T08Z', '2026-03-01 08:30'],
    ...['2026-03-01T08:30:00+24:00', '2026-03-01T08:30:00 Z', '2026-03-01T08:30:00Z\n', '+010000-01-01T00:00:00Z'],
    ...['9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00'],
    1_772_353_800_000,
  ])('is not made of %p', (value) => expect(() => put(types.timestamp, value)).toThrow());
});

describe('date', () => {
  it.each([
    ['2026-03-01', '2026-03-01'],
    ['2026-03-01T23:30:00-05:00', '2026-03-01'],
    ['2026-03-01T08:30:00Z', '2026-03-01'],
    ['2024-02-29', '2024-02-29'],
  ])('of %p is %p', (value, stored) => expect(put(types.date, value)).toBe(stored));
  it.each(['2026-02-29', '2026-3-1', 'today', '', '2026-03-01T25:00:00Z', 20_260_301])('is not made of %p', (value) =>
    expect(() => put(types.date, value)).toThrow(),
  );
});

describe('uuid, boolean, enumeration, email, currency', () => {
  const id = '8D0E4B2A-7C35-4F19-9B6E-2A1C3D5E7F90';
  it('stores a uuid in lower case', () => expect(put(types.uuid, id)).toBe(id.toLowerCase()));
  it.each(['', 'x', id.slice(1), `${id} `, `{${id}}`, id.replaceAll('-', '')])('refuses %p as a uuid', (value) =>
    expect(() => put(types.uuid, value)).toThrow('must be a uuid'),
  );
  it.each(['true', 0, 1, null])('refuses %p as a boolean', (value) =>
    expect(() => put(types.boolean, value)).toThrow(),
  );
  it.each(['Red', 'toString', '', ['red']])('refuses %p as one of a set', (value) =>
    expect(() => put(types.enumeration, value, { values: ['red'] })).toThrow('must be one of red'),
  );
  const longest = `${'l'.repeat(64)}@${'d'.repeat(63)}.example.com`;
  it.each([
    ...['ada', 'ada@', '@example.com', 'a b@example.com', 'ada@example.com\n', 'ada@localhost', 'ada@example.c'],
    ...['.ada@example.com', 'a..b@example.com', 'ada@example..com', 'ada@-a.com', 'ada@a-.com', 'ada@10.0.0.1'],
    ...['"a b"@example.com', 'ada@[10.0.0.1]', 'ada@exämple.com', 'ädä@example.com', 'a@b@example.com'],
    ...[`l${longest}`, longest.replace('@', '@d')],
  ])('refuses %p as an email, and so does the document', (value) => {
    expect(() => put(types.email, value)).toThrow('must be an email address, such as ada@example.com');
    expect(isDocumented(types.email.schema({}), value)).toBe(false);
  });
  it.each([
    ...['ada@example.com', 'a@b.co', 'a.b+c@mail.example.com', "o'hara!#$%&*/=?^_`{|}~-@example.com", longest],
    ...['ada@xn--exmple-cua.com', 'ada@example.xn--p1ai', 'ADA@EXAMPLE.COM', '1@2.com'],
  ])('takes %p as an email, and so does the document', (value) => {
    expect(put(types.email, value)).toBe(value);
    expect(isDocumented(types.email.schema({}), value)).toBe(true);
  });
  it.each(['usd', 'XYZ', 'US', 840])('refuses %p as a currency', (value) =>
    expect(() => put(types.currency, value)).toThrow(),
  );
  it('knows the usual currencies', () => {
    for (const code of ['USD', 'EUR', 'CHF', 'JPY']) expect(put(types.currency, code)).toBe(code);
  });
});

describe('strings', () => {
  it.each([[[]], [['a', 'b']], [['']]])('takes %p', (value) => expect(put(types.strings, value)).toEqual(value));
  it.each(['a', null, [1], [null], ['a\0'], [['a']], { 0: 'a' }].map((value) => [value]))('refuses %p', (value) =>
    expect(() => put(types.strings, value)).toThrow(),
  );
  it('says which entry is at fault', () =>
    expect(types.strings.check(['x', 'z'], { values: ['x', 'y'] })).toBe('must be one of x, y (entry 1)'));
});

describe('parseAddress', () => {
  it.each([
    ['10.0.0.1/24', 4],
    ['255.255.255.255/32', 4],
    ['2001:db8::1/64', 6],
    ['::/0', 6],
    ['::ffff:10.0.0.1/128', 6],
  ])('%p is of family %p', (value, family) => expect(types.parseAddress(value)?.family).toBe(family));
  it.each([
    ...['10.0.0.1', '10.0.0.1/', '10.0.0.1/33', '10.0.0.1/024', '10.0.0/8', '10.0.0.256/8', '010.0.0.1/8'],
    ...[
      '2001:db8::1/129',
      '2001:db8:::1/64',
      'fe80::1%eth0/64',
      '/24',
      '10.0.0.1/24/24',
      '10.0.0.1/-1',
      ' 10.0.0.1/24',
    ],
  ])('%p is none', (value) => expect(types.parseAddress(value)).toBeUndefined());
});
