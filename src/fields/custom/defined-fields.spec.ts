import type { Caller } from '../../access/access.js';
import { Vendor } from '../../procurement/vendor/vendor.entity.js';
import { NO_CUSTOM_FIELDS, Definitions } from './defined-fields.js';
import type { CustomDefinition } from './definition.js';

const tier = { id: 'one', key: 'tier', storedAs: 'tier', type: 'text', resources: ['vendors'], target: null } as const;
const some = new Definitions([{ ...tier, label: null, choices: null, pattern: null } as unknown as CustomDefinition]);
const caller = (...areas: Caller['areas']): Caller => ({ role: 'viewer', areas }) as Caller;

it('has the fields of a class, which are the same object each time', () => {
  const { open } = some;
  expect(open.of(Vendor).fields.map(({ property }) => property)).toEqual(['customFields.tier']);
  expect(open.of(Vendor)).toBe(open.of(Vendor));
  expect(new Definitions([]).open.of(Vendor)).toBe(NO_CUSTOM_FIELDS);
});

it('shows names of records of operations to those only who may see them', () => {
  expect(some.seenBy(caller('operations'))).toBe(some.open);
  expect([some.seenBy(caller('people')), some.seenBy(undefined)]).toEqual([some.closed, some.closed]);
});
