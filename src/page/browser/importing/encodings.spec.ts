import { textOf } from './encodings.js';
import { decode } from './text.js';

/** Bytes of a text, by looking for the character that each byte is decoded to. */
function bytesIn(text: string, encoding: string): Uint8Array {
  const found = new Map<string, number[]>();
  const decoder = new TextDecoder(encoding);
  for (let byte = 0; byte < 256; byte++) found.set(decode(Uint8Array.of(byte), encoding), [byte]);
  if (/gbk|shift/.test(encoding))
    for (let lead = 0x81; lead < 0xff; lead++)
      for (let trail = 0x40; trail < 0xff; trail++) {
        const character = decoder.decode(Uint8Array.of(lead, trail));
        if (!found.has(character)) found.set(character, [lead, trail]);
      }
  return Uint8Array.from([...`Name;City\n${text}\n`].flatMap((character) => found.get(character)!));
}

describe('the encoding of a file', () => {
  it.each([
    'Zürich;Süd',
    'Orléans;Château de la forêt; 12 €',
    'Málaga;Ñuñoa, área sul',
    'São Paulo;Ribeirão, instalação',
    'Malmö;Århus;Ørsted på Sjælland',
    '“Lager” – 25 °C',
    'plain',
  ])('is Windows-1252 for sure: %s', (text) => {
    const bytes = bytesIn(text, 'windows-1252');
    expect(textOf(bytes)).toMatchObject({ text: `Name;City\n${text}\n`, isSure: true });
  });

  it.each([
    ['windows-1251', 'Иван;Москва'],
    ['windows-1251', 'да'],
    ['windows-1250', 'Łódź;Paweł'],
    ['windows-1250', 'Řehoř'],
    ['windows-1250', 'Dvořák;Plzeň'],
    ['windows-1253', 'Αθήνα'],
    ['windows-1254', 'Işık;İstanbul'],
    ['windows-1257', 'Rīga'],
    ['gbk', '北京;上海'],
    ['shift_jis', '東京;大阪'],
    ['shift_jis', 'ｻｰﾊﾞｰ'],
    ['koi8-r', 'Москва'],
  ])('is asked for: %s, %s', (encoding, text) => {
    const bytes = bytesIn(text, encoding);
    expect(textOf(bytes).isSure).toBe(false);
    expect(textOf(bytes, encoding)).toMatchObject({ text: `Name;City\n${text}\n`, encoding, isSure: true });
  });

  it('is asked for where lines end as those of an old Mac', () => {
    expect(textOf(Uint8Array.of(0x41, 0x8e, 0x0d)).isSure).toBe(false);
  });
});
