import { escapedXml, wantsSvg } from './svg.js';
import { emsOf, initialsIn, linesOf, nameIn } from './svg-text.js';

describe('escapedXml', () => {
  it('leaves no markup', () =>
    expect(escapedXml(`<a b="c" d='e'>&amp;`)).toBe('&#60;a b=&#34;c&#34; d=&#39;e&#39;&#62;&#38;amp;'));
  it('replaces what XML cannot hold, and keeps everything else', () => {
    expect(escapedXml('a\u0000\u001B\uFFFEb')).toBe('a\uFFFD\uFFFD\uFFFDb');
    expect(escapedXml('é 漢 😀 עברית\t\n')).toBe('é 漢 😀 עברית\t\n');
  });
});

describe('wantsSvg', () => {
  const browserImage = 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8';
  it.each([
    [undefined, '', false],
    [undefined, '*/*', false],
    [undefined, 'application/json', false],
    [undefined, 'text/html,application/xhtml+xml,*/*;q=0.8', false],
    [undefined, 'image/svg+xml', true],
    [undefined, browserImage, true],
    ['svg', 'application/json', true],
    ['csv', 'image/svg+xml', false],
  ])('format %p and Accept %p: %p', (format, accept, expected) => expect(wantsSvg(format, accept)).toBe(expected));
});

describe('linesOf', () => {
  it('breaks between words, and ends in an ellipsis what does not fit', () => {
    expect(linesOf('Core switch of the second floor', 8, 3)).toEqual(['Core switch', 'of the second', 'floor']);
    expect(linesOf('Core switch of the second floor', 8, 2)).toEqual(['Core switch', 'of the seco…']);
    expect(linesOf('short', 8)).toEqual(['short']);
    expect(linesOf('  ', 8)).toEqual([]);
  });
  // Ems in Noto Sans, with its ligatures.
  it.each([
    ['தமிழ்நாடு கோயம்புத்தூர்', 13.2],
    ['മലയാളം തിരുവനന്തപുരം', 12.49],
    ['ශ්‍රී ජයවර්ධනපුර', 7.6],
    ['ಬೆಂಗಳೂರು ಮುಖ್ಯ', 7.36],
    ['హైదరాబాద్ కేంద్రం', 6.96],
    ['မန္တလေးမြို့', 5.37],
  ])('takes %s for no narrower than it is', (text, ems) => {
    expect(emsOf(text)).toBeGreaterThanOrEqual(ems);
    expect(emsOf(text)).toBeLessThan(ems * 2);
    const [shown] = linesOf(text, ems * 0.9);
    expect(shown).toMatch(/…$/);
  });
  it('never cuts within a character', () => {
    expect(linesOf('👩‍👩‍👧‍👦'.repeat(9), 5)).toEqual(['👩‍👩‍👧‍👦👩‍👩‍👧‍👦…']);
    expect(linesOf('x'.repeat(30), 6, 2).join('')).toMatch(/^x+…$/);
  });
});

describe('a name where there is little room', () => {
  it.each([
    ['Ada Lovelace', 20, 'Ada Lovelace', 'AL'],
    ['Ada Lovelace', 6, 'Ada Lov…', 'AL'],
    ['Ada Lovelace', 2, '', 'AL'],
    ['Ada Lovelace', 1, '', 'A'],
    ['Ada Lovelace', 0.5, '', ''],
    ['Ada', 1, '', 'A'],
    ['ada (night) de la tour', 2, '', 'AT'],
    ['👩‍💻 42', 1, '', ''],
  ])('%s in %d ems is %p, or %p', (name, width, shown, initials) =>
    expect([nameIn(name, width), initialsIn(name, width)]).toEqual([shown, initials]),
  );
});
