import { ValidationFailed } from '../../http/errors.js';
import { parseBody } from '../../fields/bodies/bodies.js';
import { NO_FIELDS } from '../../fields/custom/defined-fields.js';
import { familyOf } from './family.js';
import { CreateIpAddress, UpdateIpAddress } from './ip-addresses.controller.js';

function faultsOf(dto: typeof CreateIpAddress, body: object): readonly object[] | undefined {
  try {
    parseBody(dto, body, NO_FIELDS);
    return [];
  } catch (error) {
    return (error as ValidationFailed).extra.details!.map(({ field, message }) => ({ field, message }));
  }
}

describe('familyOf', () => {
  it.each([
    ['10.0.0.1/24', 4],
    ['0.0.0.0/0', 4],
    ['2001:db8::1/64', 6],
    ['::ffff:10.0.0.1/128', 6],
    ['10.0.0.1', undefined],
    ['10.0.0.1/33', undefined],
    [null, undefined],
    [4, undefined],
  ])('%p is of family %p', (value, family) => expect(familyOf(value)).toBe(family));
});

describe('family in a body', () => {
  it.each([
    ['agrees with the address', { address: '10.0.0.1/24', family: 4 }],
    ['is absent', { address: '2001:db8::1/64' }],
  ])('is accepted where it %s', (_, body) => expect(faultsOf(CreateIpAddress, body)).toEqual([]));

  it('is left to the database where a PATCH has no address', () =>
    expect(faultsOf(UpdateIpAddress, { family: 6 })).toEqual([]));

  it.each([
    ['create', CreateIpAddress],
    ['PATCH', UpdateIpAddress],
  ])('is refused with the other faults of a %s where it contradicts the address', (_, dto) =>
    expect(faultsOf(dto, { address: '10.0.0.1/24', family: 6, vrfId: 'x' })).toEqual([
      { field: 'vrfId', message: 'must be a uuid' },
      { field: 'family', message: 'must be 4 for an IPv4 address and 6 for an IPv6 address' },
    ]),
  );

  it.each([
    ['null', null, 'must not be null'],
    ['5', 5, 'must be 4 or 6'],
    ['text', '4', 'must be 4 or 6'],
  ])('must be the number of an IP version: %s', (_, family, message) =>
    expect(faultsOf(CreateIpAddress, { address: '10.0.0.1/24', family })).toEqual([{ field: 'family', message }]),
  );
});
