import { faultOf as faultOfType } from '../../../test/support/put.js';
import { AddressRanges, networks } from './networks.field.js';

const faultOf = (value: unknown): string | undefined => faultOfType(networks, value);

describe('a list of networks', () => {
  it.each([
    [[]],
    [['10.0.0.0/8']],
    [['0.0.0.0/0', '::/0']],
    [['192.0.2.1/32', '2001:db8::1/128']],
    [['2001:DB8::/32', 'fe80::/10']],
    [['10.1.2.0/23', '::ffff:10.0.0.0/104', '::ffff:0:0/96']],
  ])('takes %j', (value) => expect(faultOf(value)).toBeUndefined());

  it.each([
    [['10.0.0.1/8']],
    [['10.1.3.0/23']],
    [['2001:db8::1/64']],
    [['2001:db8:0:1::/63']],
    [['::1/127']],
    [['0.0.0.1/0']],
  ])('refuses host bits: %j', (value) => expect(faultOf(value)).toMatch(/right of its prefix/));

  it.each([
    ['10.0.0.0/8'],
    [null],
    [[1]],
    [[null]],
    [['10.0.0.0']],
    [['10.0.0.0/33']],
    [['10.0.0.0/-1']],
    [['10.0.0/8']],
    [['fe80::%eth0/10']],
    [['example.com/8']],
    [['2001:db8::/129']],
    [Array<string>(101).fill('10.0.0.0/8')],
  ])('refuses %j', (value) => expect(faultOf(value)).toMatch(/^must /));
});

describe('addresses of networks', () => {
  const ranges = new AddressRanges(['10.0.0.0/8', '2001:db8::/32', 'fe80::/10']);
  it.each(['10.0.0.0', '10.255.255.255', '2001:db8::1', '2001:0DB8:ffff::', 'fe80::1%eth0', '::ffff:10.1.2.3'])(
    'has %s',
    (address) => expect(ranges.has(address)).toBe(true),
  );
  it.each(['11.0.0.0', '9.255.255.255', '2001:db9::', '::1', '', 'nonsense', '10.0.0.0/8'])('has not %j', (address) =>
    expect(ranges.has(address)).toBe(false),
  );
});
