import { namesIn } from './ranges.js';

it.each([
  ['Gi1/0/[1-3]', ['Gi1/0/1', 'Gi1/0/2', 'Gi1/0/3']],
  ['U[08-10]', ['U08', 'U09', 'U10']],
  ['xe-0/0/[7-7].0', ['xe-0/0/7.0']],
  ['Ethernet[1-2]/[1-2]', ['Ethernet1/1', 'Ethernet1/2', 'Ethernet2/1', 'Ethernet2/2']],
  ['Gi1/0/[1,3,5-6]', ['Gi1/0/1', 'Gi1/0/3', 'Gi1/0/5', 'Gi1/0/6']],
  ['HB[1-2]', ['HB1', 'HB2']],
  ['[xe,ge]-0/[a-b]', ['xe-0/a', 'xe-0/b', 'ge-0/a', 'ge-0/b']],
])('%s means %j', (text, names) => {
  expect(namesIn(text)).toEqual({ names });
  expect(namesIn(text, true)).toEqual({ names });
});

it.each(['Gi1/0/1', '', null, 7])('%j is one name', (text) => {
  expect(namesIn(text)).toBeUndefined();
  expect(namesIn(text, true)).toBeUndefined();
});

it.each([
  ['Gi[3-1]', 'has a bracket that cannot be read: [3-1]'],
  ['p[1-1001]', 'means more than 1,000 names'],
  ['p[1-100]/[1-100]', 'means more than 1,000 names'],
  ['a[b-C]', 'has a bracket that cannot be read: [b-C]'],
  ['a[1-2', 'has a bracket that cannot be read: [1-2'],
  ['a[]', 'has a bracket that cannot be read: []'],
  ['a1]b[1-2]]', "has a ']' without a '['"],
  ['a[1,1]', 'means a name twice'],
])('%s cannot be the name of a port, and is one name of what is called otherwise', (text, fault) => {
  expect(namesIn(text, true)).toEqual({ fault });
  if (!text.includes(']]')) expect(namesIn(text)).toBeUndefined();
});

it.each(['[PROD] down', 'INC[P-12] disk'])('%s is one name where names are sentences', (text) =>
  expect(namesIn(text)).toBeUndefined(),
);
