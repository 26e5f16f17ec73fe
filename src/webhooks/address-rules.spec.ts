import { isAllowed, urlFault, type AddressPolicy } from './address-rules.js';

const usual: AddressPolicy = { allowLoopback: false, allowPrivate: true, allowHttp: false };
const strict: AddressPolicy = { ...usual, allowPrivate: false };
const test: AddressPolicy = { allowLoopback: true, allowPrivate: true, allowHttp: true };

it.each([
  // address, usual, without private ones, with loopback
  ['8.8.8.8', true, true, true],
  ['2606:4700::1111', true, true, true],
  ['10.1.2.3', true, false, true],
  ['172.16.0.1', true, false, true],
  ['172.32.0.1', true, true, true],
  ['192.168.1.1', true, false, true],
  ['100.64.0.1', true, false, true],
  ['fd00::1', true, false, true],
  ['127.0.0.1', false, false, true],
  ['127.9.9.9', false, false, true],
  ['::1', false, false, true],
  ['0.0.0.0', false, false, false],
  ['::', false, false, false],
  ['169.254.169.254', false, false, false],
  ['fe80::1', false, false, false],
  ['fe80::1%eth0', false, false, false],
  // Metadata of clouds: Amazon, Google, Oracle, Scaleway, Alibaba, and Azure.
  ['fd00:ec2::254', false, false, false],
  ['fd00:ec2::23', false, false, false],
  ['fd20:ce::254', false, false, false],
  ['fd00:c1::a9fe:a9fe', false, false, false],
  ['fd00:42::42', false, false, false],
  ['100.100.100.200', false, false, false],
  ['168.63.129.16', false, false, false],
  ['::ffff:168.63.129.16', false, false, false],
  ['64:ff9b::6464:64c8', false, false, false],
  ['192.0.0.192', false, false, false],
  ['168.63.129.17', true, true, true],
  ['100.100.100.201', true, false, true],
  ['224.0.0.1', false, false, false],
  ['ff02::1', false, false, false],
  ['255.255.255.255', false, false, false],
  ['192.0.2.1', false, false, false],
  ['198.18.0.1', false, false, false],
  ['2001:db8::1', false, false, false],
  ['2001::1', false, false, false],
  ['3fff::1', false, false, false],
  ['100::1', false, false, false],
  ['64:ff9b:1::1', false, false, false],
  ['::7f00:1', false, false, false],
  ['fec0::1', false, false, false],
  // They embed 8.8.8.8, 127.0.0.1, 169.254.169.254 and 10.0.0.1.
  ['::ffff:8.8.8.8', true, true, true],
  ['::ffff:127.0.0.1', false, false, true],
  ['::ffff:7f00:1', false, false, true],
  ['::ffff:a9fe:a9fe', false, false, false],
  ['64:ff9b::a00:1', true, false, true],
  ['64:ff9b::7f00:1', false, false, true],
  ['2002:7f00:1::', false, false, true],
  ['2002:808:808::1', true, true, true],
  ['not an address', false, false, false],
])('judges %s', (address, inUse, inPublic, inTests) => {
  expect([usual, strict, test].map((policy) => isAllowed(address, policy))).toEqual([inUse, inPublic, inTests]);
});

it.each([
  ['https://hooks.example.com/x', undefined, undefined],
  ['http://hooks.example.com/x', 'must be an absolute URL that begins with https://', undefined],
  ['ftp://example.com', 'must be an absolute URL that begins with https://', expect.stringContaining('http://')],
  ['/relative', 'must be an absolute URL that begins with https://', expect.stringContaining('http://')],
  ['https://ada:secret@example.com', expect.stringContaining('password'), expect.stringContaining('password')],
  ['https://localhost/x', 'must not lead to this machine', undefined],
  ['https://a.localhost./x', 'must not lead to this machine', undefined],
  ['https://127.0.0.1:8443/', expect.stringContaining('127.0.0.1'), undefined],
  // Other ways to write 127.0.0.1 and 169.254.169.254.
  ['https://0x7f.1/', expect.stringContaining('127.0.0.1'), undefined],
  ['https://2130706433/', expect.stringContaining('127.0.0.1'), undefined],
  ['https://[::ffff:169.254.169.254]/', expect.any(String), expect.any(String)],
])('judges the URL %s', (url, inUse, inTests) => {
  expect([usual, test].map((policy) => urlFault(url, policy))).toEqual([inUse, inTests]);
});
