import { canonicalKey, reverseName, zoneOf } from './dns-zone.js';

it.each([
  ['Example.NET.', { name: 'example.net' }],
  ['net', { name: 'net' }],
  ['arpa', { name: 'arpa' }],
  ['2.0.192.in-addr.arpa', { name: '2.0.192.in-addr.arpa', network: '192.0.2.0/24' }],
  ['10.IN-ADDR.ARPA.', { name: '10.in-addr.arpa', network: '10.0.0.0/8' }],
  ['7.2.0.192.in-addr.arpa', { name: '7.2.0.192.in-addr.arpa', network: '192.0.2.7/32' }],
  ['in-addr.arpa', { name: 'in-addr.arpa', network: '0.0.0.0/0' }],
  [
    '8.b.d.0.1.0.0.2.ip6.arpa',
    { name: '8.b.d.0.1.0.0.2.ip6.arpa', network: '2001:0db8:0000:0000:0000:0000:0000:0000/32' },
  ],
  ['ip6.arpa', { name: 'ip6.arpa', network: '0000:0000:0000:0000:0000:0000:0000:0000/0' }],
  ['', undefined],
  ['.', undefined],
  ['a b', undefined],
  ['example..net', undefined],
  ['0-63.2.0.192.in-addr.arpa', undefined],
  ['0/25.2.0.192.in-addr.arpa', undefined],
  ['256.in-addr.arpa', undefined],
  ['02.0.192.in-addr.arpa', undefined],
  ['1.7.2.0.192.in-addr.arpa', undefined],
  ['10.ip6.arpa', undefined],
  ['g.ip6.arpa', undefined],
  [`${'0.'.repeat(33)}ip6.arpa`, undefined],
])('the zone %j is %j', (text, zone) => expect(zoneOf(text)).toEqual(zone));

it.each([
  ['192.0.2.7', '7.2.0.192.in-addr.arpa'],
  ['2001:db8::7', '7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
  ['::ffff:192.0.2.7', '7.0.2.0.0.0.0.c.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa'],
])('the address %s has the name %s', (address, name) => expect(reverseName(address)).toBe(name));

it('sorts names in canonical order', () => {
  // The example of RFC 4034, without the names that are not host names.
  const names = [
    'example',
    'a.example',
    'yljkjljk.a.example',
    'z.a.example',
    'z-a.example',
    'z0.example',
    'za.example',
  ];
  const sorted = names.toReversed().toSorted((a, b) => (canonicalKey(a) < canonicalKey(b) ? -1 : 1));
  expect(sorted).toEqual(names);
});
