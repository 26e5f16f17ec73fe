import { carvedFrom, placeIn } from './space.js';

const of = (prefix: string, size: bigint) => ({ prefix, size: String(size) });

it.each([
  ['10.0.0.0/8', 2n ** 24n, '10.64.0.0/10', 2n ** 22n, 0.25, 0.25],
  ['0.0.0.0/0', 2n ** 32n, '255.255.255.255/32', 1n, 0.999_999, 0],
  ['2001:db8::/32', 2n ** 96n, '2001:db8:8000::/33', 2n ** 95n, 0.5, 0.5],
  ['2001:db8:1:2::/64', 2n ** 64n, '2001:db8:1:2:c000::/66', 2n ** 62n, 0.75, 0.25],
  ['::/0', 2n ** 128n, '8000::/1', 2n ** 127n, 0.5, 0.5],
  ['::ffff:10.0.0.0/104', 2n ** 24n, '::ffff:10.128.0.0/105', 2n ** 23n, 0.5, 0.5],
  ['1:2:3:4:5:6:7:0/112', 2n ** 16n, '1:2:3:4:5:6:7:8000/113', 2n ** 15n, 0.5, 0.5],
])('knows where %s has %s', (whole, size, part, partSize, start, share) => {
  expect(placeIn(of(whole, size), of(part, partSize))).toEqual({ start, share });
});

it.each([
  [[], 0],
  [[2n ** 8n, 2n ** 8n, 2n ** 9n], 0.25],
  [[2n ** 12n], 1],
])('knows how much of a container %s takes', (sizes, share) => {
  expect(
    carvedFrom(
      of('10.0.0.0/20', 2n ** 12n),
      sizes.map((size) => of('', size)),
    ),
  ).toBe(share);
});
