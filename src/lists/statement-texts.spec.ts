import type { Resource } from '../projection/resource.js';
import { MOST_TEXTS, StatementTexts } from './statement-texts.js';

const [sites, racks] = [{}, {}] as Resource[];

it('makes each text of a resource once', () => {
  const texts = new StatementTexts();
  const make = jest.fn(() => 'SELECT');
  for (const key of ['a', 'b', 'a', 'b']) expect(texts.of(sites!, key, make)).toBe('SELECT');
  expect(make).toHaveBeenCalledTimes(2);
  expect(texts.of(racks!, 'a', () => 'of racks')).toBe('of racks');
});

it('keeps a limited number, however many are asked for, and makes the others each time', () => {
  const texts = new StatementTexts();
  for (let key = 0; key < MOST_TEXTS; key++) texts.of(sites!, String(key), () => `text ${key}`);
  const make = jest.fn(() => 'another');
  for (let times = 0; times < 3; times++) expect(texts.of(racks!, 'x', make)).toBe('another');
  expect(make).toHaveBeenCalledTimes(3);
  expect(texts.of(sites!, '0', make)).toBe('text 0');
});
