import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { faultOf, put } from '../../../test/support/put.js';
import { email, enumeration, text } from './text.js';
import { isBlank, LINE_PATTERN, VISIBLE_LINE_PATTERN, VISIBLE_PATTERN } from './visible.js';

const ajv = addFormats(new Ajv2020());
const isDocumented = (schema: Record<string, unknown>, value: unknown): boolean => ajv.validate(schema, value);

const otherValues = [1, true, {}, [], ['x']];

describe('text', () => {
  const line = { maxLength: 5 };
  it.each(['', ' ', 'abcde', '😀😀😀😀😀', 'é'])('takes %p', (value) => expect(put(text, value, line)).toBe(value));
  it.each(['a\nb', '\n', 'a\r\n'])('refuses %p, which is not one line', (value) => {
    expect(() => put(text, value, line)).toThrow('must be one line');
    expect(put(text, value, { maxLength: 256 })).toBe(value);
    expect(new RegExp(LINE_PATTERN).test(value)).toBe(false);
  });
  it.each(['abcdef', '😀😀😀😀😀😀', 'a\0', '\ud800', '\udc00\ud800', 'x\udfff'])('refuses %p', (value) =>
    expect(() => put(text, value, line)).toThrow(),
  );
  it.each(['', ' ', '\t\n', '\u00a0'])('refuses %p where it must not be blank', (value) =>
    expect(() => put(text, value, { notBlank: true })).toThrow('must not be blank'),
  );

  it('takes for blank what Unicode says nobody sees, each character and all together', () => {
    const [documented, inLine] = [new RegExp(VISIBLE_PATTERN), new RegExp(VISIBLE_LINE_PATTERN)];
    const invisible: string[] = [];
    const wrong: string[] = [];
    for (let code = 1; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      // Unicode classifies signs of Arabic, Syriac and Kaithi as formatting, but they are visible.
      const shows = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u.test(character);
      const hidden = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(character) && !shows;
      if (hidden) invisible.push(character);
      if (isBlank(character) !== hidden) wrong.push(`U+${code.toString(16)}`);
      // The documented pattern agrees in the plane that it can express.
      if (code <= 0xffff && documented.test(character) === hidden) wrong.push(`U+${code.toString(16)}, documented`);
      if (code <= 0xffff && inLine.test(` ${character} `) === hidden) wrong.push(`U+${code.toString(16)}, in a line`);
    }
    expect(wrong).toEqual([]);
    expect(invisible.length).toBeGreaterThan(4000);
    for (const code of ['x\n', '\nx', '\n']) expect(inLine.test(code)).toBe(false);
    expect(faultOf(text, invisible.join(''), { notBlank: true })).toBe('must not be blank');
    expect(put(text, `${invisible.join('')}x`, { notBlank: true })).toHaveLength(invisible.join('').length + 1);
  });
  it.each(otherValues)('is never made of %p', (value) => expect(() => put(text, value)).toThrow('must be a string'));
});

describe('enumeration', () => {
  it.each(['Red', 'toString', '', ['red']])('refuses %p as one of a set', (value) =>
    expect(() => put(enumeration, value, { values: ['red'] })).toThrow('must be one of red'),
  );
});

describe('email', () => {
  const longest = `${'l'.repeat(64)}@${'d'.repeat(63)}.example.com`;
  it.each([
    ...['ada', 'ada@', '@example.com', 'a b@example.com', 'ada@example.com\n', 'ada@localhost', 'ada@example.c'],
    ...['.ada@example.com', 'a..b@example.com', 'ada@example..com', 'ada@-a.com', 'ada@a-.com', 'ada@10.0.0.1'],
    ...['"a b"@example.com', 'ada@[10.0.0.1]', 'ada@exämple.com', 'ädä@example.com', 'a@b@example.com'],
    ...[`l${longest}`, longest.replace('@', '@d')],
  ])('refuses %p as an email, and so does the document', (value) => {
    expect(() => put(email, value)).toThrow('must be an email address, such as ada@example.com');
    expect(isDocumented(email.schema({}), value)).toBe(false);
  });
  it.each([
    ...['ada@example.com', 'a@b.co', 'a.b+c@mail.example.com', "o'hara!#$%&*/=?^_`{|}~-@example.com", longest],
    ...['ada@xn--exmple-cua.com', 'ada@example.xn--p1ai', 'ADA@EXAMPLE.COM', '1@2.com'],
  ])('takes %p as an email, and so does the document', (value) => {
    expect(put(email, value)).toBe(value);
    expect(isDocumented(email.schema({}), value)).toBe(true);
  });
});
