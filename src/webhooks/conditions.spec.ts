import { changeTest, type ValueKind, type Values } from './conditions.js';

const kinds = new Map<string, ValueKind>([
  ['cost', 'decimal'],
  ['detectedAt', 'instant'],
  ['speeds', 'list'],
]);
const met = (before: Values | null, after: Values | null, conditions: object): boolean =>
  changeTest(kinds, conditions)(before, after);

it('fires on each change to active, and on nothing else', () => {
  const toActive = { before: { status: 'planned' }, after: { status: 'active' } };
  const states = ['planned', 'active', 'planned', 'active', 'active'];
  const fired = states
    .slice(1)
    .map((status, index) => met({ status: states[index]!, name: 'x' }, { status, name: 'y' }, toActive));
  expect(fired).toEqual([true, false, true, false]);
});

it.each([
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
