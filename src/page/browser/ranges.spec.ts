import { namesIn } from './ranges.js';

it.each([
  ['Gi1/0/[1-3]', ['Gi1/0/1', 'Gi1/0/2', 'Gi1/0/3']],
  ['U[08-10]', ['U08', 'U09', 'U10']],
  ['xe-0/0/[7-7].0', ['xe-0/0/7.0']],
])('%s means %j', (text, names) => expect(namesIn(text)).toEqual(names));

it.each(['Gi1/0/1', 'Gi[3-1]', 'p[1-1001]', 'a[b-c]', '', null, 7])('%j is one name', (text) =>
  expect(namesIn(text)).toBeUndefined(),
);
