import * as fc from 'fast-check';
import { byCodePoint } from './custom-field.js';

const bytes = (text: string): Buffer => Buffer.from(text);

describe('byCodePoint', () => {
  it('is the order of the bytes in UTF-8', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom('a', '\u{D7FF}', '\u{E000}', '\u{FFFD}', '\u{10000}', '😀')).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, text, (a, b) => expect(Math.sign(byCodePoint(a, b))).toBe(Buffer.compare(bytes(a), bytes(b)))),
      { numRuns: 1000 },
    );
  });

  it('copies nothing of what it compares, which would take most of the time of many tags', () => {
    const from = jest.spyOn(Buffer, 'from');
    const encode = jest.spyOn(TextEncoder.prototype, 'encode');
    const tags = Array.from({ length: 1000 }, (_, at) => `tag-${(at * 7919) % 1000}`);
    expect(tags.toSorted(byCodePoint)).toEqual(tags.toSorted());
    expect([from.mock.calls.length, encode.mock.calls.length]).toEqual([0, 0]);
    jest.restoreAllMocks();
  });
});
