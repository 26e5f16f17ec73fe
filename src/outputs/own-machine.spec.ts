import { isOwnAddress, isOwnName } from './own-machine.js';

it.each([
  'localhost',
  'LocalHost',
  'localhost.localdomain',
  'localhost4.localdomain4',
  'localhost6',
  'ip6-localhost',
  'IP6-LOOPBACK',
  'ipv6-localhost',
  'loopback',
  'localhost.example.net',
  'sw-01.localhost',
  '127.0.0.1',
  '127.255.0.7',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0',
  '0.0.0.0',
])('the name %s is one of the own machine', (name) => expect(isOwnName(name)).toBe(true));

it.each([
  'sw-01',
  'my-localhost',
  'localhost-1',
  'loopback.rtr-1',
  '7',
  '10.0.0.1',
  '127',
  '127.0.0.1.5',
  '127.0.0.1-a',
  'xn--a.1',
  'a.127',
])('the name %s is not', (name) => expect(isOwnName(name)).toBe(false));

it.each(['127.0.0.1', '127.9.9.9', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:2', '::ffff:0.0.0.0'])(
  'the address %s is one of the own machine',
  (address) => expect(isOwnAddress(address)).toBe(true),
);

it.each(['126.255.255.255', '128.0.0.1', '0.0.0.7', '::2', '1::', 'fe80::1', '::ffff:10.0.0.1'])(
  'the address %s is not',
  (address) => expect(isOwnAddress(address)).toBe(false),
);
