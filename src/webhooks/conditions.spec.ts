import type { StoredField } from '../fields/field.js';
import type { FieldType } from '../fields/types/field-type.js';
import { strings } from '../fields/types/list.js';
import { decimal, number } from '../fields/types/number.js';
import { text } from '../fields/types/text.js';
import { date, localTime, timestamp } from '../fields/types/time.js';
import { uuid } from '../fields/types/uuid.js';
import { address } from '../network/ip-address/address.field.js';
import { network } from '../network/prefix/network.field.js';
import { changeTest, type Conditions, type Values } from './conditions.js';

const types: Readonly<Record<string, FieldType>> = {
  address,
  cost: decimal,
  day: date,
  detectedAt: timestamp,
  localStart: localTime,
  name: text,
  network,
  siteId: uuid,
  speeds: strings,
  units: number,
};
const fields = new Map(Object.entries(types).map(([property, type]) => [property, { property, type } as StoredField]));
const met = (before: Values | null, after: Values | null, conditions: object): boolean =>
  changeTest(fields, conditions)(before, after);

it('fires on each change to active, and on nothing else', () => {
  const toActive = { before: { status: 'planned' }, after: { status: 'active' } };
  const states = ['planned', 'active', 'planned', 'active', 'active'];
  const fired = states
    .slice(1)
    .map((status, index) => met({ status: states[index]!, name: 'x' }, { status, name: 'y' }, toActive));
  expect(fired).toEqual([true, false, true, false]);
});

const ID = '0198c0de-abcd-7000-8000-00000000beef';
const at = (detectedAt: string): Values => ({ detectedAt });

it.each<[string, Values | null, Values | null, Conditions, boolean]>([
  ['a create has no before', null, { status: 'a' }, { before: { status: 'a' } }, false],
  ['a create has an after', null, { status: 'a' }, { after: { status: 'a' } }, true],
  ['a delete has no after', { status: 'a' }, null, { after: { status: 'a' } }, false],
  ['a delete has a before', { status: 'a' }, null, { before: { status: 'a' } }, true],
  ['null, not even of a missing record', null, { siteId: 'x' }, { before: { siteId: null } }, false],
  ['a change to null', { siteId: 'x' }, { siteId: null }, { after: { siteId: null } }, true],
  ['a change from null', { siteId: null }, { siteId: 'x' }, { before: { siteId: null } }, true],
  ['one of several', { status: 'a' }, { status: 'c' }, { after: { status: ['b', 'c'] } }, true],
  ['none of several', { status: 'a' }, { status: 'd' }, { after: { status: ['b', 'c'] } }, false],
  ['null as one of several', { status: 'a' }, { status: null }, { after: { status: ['b', null] } }, true],
  ['decimals as numbers', null, { cost: '1200' }, { after: { cost: '1200.00' } }, true],
  ['decimals of other values', null, { cost: '1200' }, { after: { cost: '120' } }, false],
  ['zero with and without a sign', null, { cost: '-0.00' }, { after: { cost: '0' } }, true],
  [
    'times as instants',
    null,
    { detectedAt: '2026-03-01T08:30:00.000Z' },
    { after: { detectedAt: '2026-03-01T09:30+01:00' } },
    true,
  ],
  ['times with a short offset', null, at('2026-03-01T08:30:00.000Z'), { after: at('2026-03-01T10:30+02') }, true],
  ['times with a comma', null, at('2026-03-01T08:30:00.500Z'), { after: at('2026-03-01T08:30:00,5Z') }, true],
  [
    'times without an offset, which are in UTC',
    null,
    at('2026-03-01T08:30:00.000Z'),
    { after: at('2026-03-01T08:30') },
    true,
  ],
  ['a day as an instant', null, at('2026-03-01T00:00:00.000Z'), { after: at('2026-03-01') }, true],
  ['local times', null, { localStart: '2026-03-01T08:30:00' }, { after: { localStart: '2026-03-01T08:30' } }, true],
  ['days', null, { day: '2027-05-01' }, { after: { day: '2027-05-01T00:00:00Z' } }, true],
  ['ids in any case', null, { siteId: ID }, { after: { siteId: ID.toUpperCase() } }, true],
  ['addresses', null, { address: '2001:db8::7/64' }, { after: { address: '2001:DB8:0:0::0007/64' } }, true],
  ['addresses of another length', null, { address: '2001:db8::7/64' }, { after: { address: '2001:db8::7/65' } }, false],
  ['mapped addresses', null, { address: '::ffff:10.0.0.1/128' }, { after: { address: '::FFFF:a00:1/128' } }, true],
  ['networks', null, { network: '2001:db8::/32' }, { after: { network: '2001:0DB8:0::/32' } }, true],
  ['texts exactly', null, { name: 'A' }, { after: { name: 'a' } }, false],
  ['numbers', null, { units: 42 }, { after: { units: 42 } }, true],
  ['an entry of a list', null, { speeds: ['1G', '10G'] }, { after: { speeds: '10G' } }, true],
  ['any of several entries of a list', null, { speeds: ['1G'] }, { after: { speeds: ['40G', '1G'] } }, true],
  ['no entry of a list', null, { speeds: [] }, { after: { speeds: '10G' } }, false],
  [
    'a field that was not touched',
    { status: 'a', role: 'r' },
    { status: 'b', role: 'r' },
    { after: { role: 'r' } },
    true,
  ],
  ['two fields, of which one differs', null, { status: 'a', role: 'r' }, { after: { status: 'a', role: 's' } }, false],
  ['no conditions', null, null, {}, true],
  ['empty conditions', null, {}, { before: {}, after: {} }, true],
])('compares %s', (_what, before, after, conditions, expected) => {
  expect(met(before, after, conditions)).toBe(expected);
});
