import { ScanQueue } from './queue.js';

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
});
const storage = {
  kept: <Value>(name: string, otherwise: Value): Value =>
    stored.has(name) ? (JSON.parse(stored.get(name)!) as Value) : otherwise,
  keep: (name: string, value: unknown): void => void stored.set(name, JSON.stringify(value)),
};
const queue = () => new ScanQueue('scans.1', storage);

it('keeps scans until they have arrived, also for a page that begins anew', () => {
  const one = queue();
  one.add('A', null);
  one.add('B', null);
  const { key } = one.next()!;
  one.add('C', null);
  // A batch that was sent before is sent again unchanged, with the same key.
  expect(queue().next()).toEqual({ key, codes: ['A', 'B'], locationId: null });
  one.arrived(key);
  expect(one.codes).toEqual(['C']);
  expect(queue().codes).toEqual(['C']);
});

it('sends scans of one place together, in their order, a thousand at most', () => {
  const one = queue();
  for (let at = 0; at < 1001; at++) one.add(`A${at}`, null);
  one.add('B', 'hall');
  one.add('C', null);
  const sent = [];
  for (let batch = one.next(); batch; batch = one.next()) {
    sent.push([batch.codes.length, batch.codes[0], batch.locationId]);
    one.arrived(batch.key);
  }
  expect(sent).toEqual([
    [1000, 'A0', null],
    [1, 'A1000', null],
    [1, 'B', 'hall'],
    [1, 'C', null],
  ]);
});

it('loses nothing of another window', () => {
  const [one, other] = [queue(), queue()];
  one.add('A', null);
  other.add('B', null);
  other.arrived(other.next()!.key);
  expect(queue().codes).toEqual(['A']);
  one.add('C', null);
  expect(queue().codes).toEqual(['A', 'C']);
});

it('sends the rest of a batch of which a code is refused', () => {
  const one = queue();
  for (const code of ['A', 'bad', 'B']) one.add(code, null);
  const { key } = one.next()!;
  one.refuse(key, new Set(['bad']));
  const next = one.next()!;
  expect(next.codes).toEqual(['A', 'B']);
  expect(next.key).not.toBe(key);
});
