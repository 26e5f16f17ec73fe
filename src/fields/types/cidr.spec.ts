import { parseAddress } from './cidr.js';

describe('parseAddress', () => {
  it.each([
    ['10.0.0.1/24', 4],
    ['255.255.255.255/32', 4],
    ['2001:db8::1/64', 6],
    ['::/0', 6],
    ['::ffff:10.0.0.1/128', 6],
  ])('%p is of family %p', (value, family) => expect(parseAddress(value)?.family).toBe(family));
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
  ])('%p is none', (value) => expect(parseAddress(value)).toBeUndefined());
});
