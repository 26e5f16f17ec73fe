import type { FastifyRequest } from 'fastify';
import { clientAddress, networkOf } from './client-address.js';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:0000::', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1:2:3::', '1:2:3:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network));

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8::1'],
  // A proxy never sends this, but a client that forges the header may.
  ['nonsense', '10.0.0.1'],
  ['x'.repeat(10_000), '10.0.0.1'],
  ['192.0.2.7:80', '10.0.0.1'],
  ['', '10.0.0.1'],
])('resolves the address of %.20s to %s', (ip, address) => {
  expect(clientAddress({ ip, socket: { remoteAddress: '::ffff:10.0.0.1' } } as unknown as FastifyRequest)).toBe(
    address,
  );
});
