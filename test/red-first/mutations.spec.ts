import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Mutation {
  rule: string;
  file: string;
  find: string;
  replace: string;
  test: string;
  name: string;
  and?: { find: string; replace: string }[];
}

const root = join(__dirname, '../..');
const mutations = JSON.parse(readFileSync(join(__dirname, 'mutations.json'), 'utf8')) as Mutation[];

it('has a rule for most of what could go wrong', () => expect(mutations.length).toBeGreaterThan(45));

// That each rule is noticed when it is broken takes minutes: `npm run red-first`. Here: that it still can be broken.
it.each(mutations.map((mutation) => [mutation.rule, mutation] as const))('can break: %s', (_, mutation) => {
  const { file, test, and = [] } = mutation;
  const source = readFileSync(join(root, file), 'utf8');
  for (const { find, replace } of [mutation, ...and]) {
    expect({ find, times: source.split(find).length - 1 }).toEqual({ find, times: 1 });
    expect(replace).not.toBe(find);
  }
  expect(existsSync(join(root, test))).toBe(true);
});
