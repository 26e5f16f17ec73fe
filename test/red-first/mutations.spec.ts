import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

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

// That each rule is noticed when it is broken takes minutes: `npm run red-first`, which .ci/run does. Here: that it still
// can be broken by what the list says, and that the list says which test must fail.
describe.each(mutations)('$rule', ({ rule, file, find, replace, test, name, and = [] }) => {
  it('stands in the list once', () => {
    expect(mutations.filter((other) => other.rule === rule)).toHaveLength(1);
  });

  it('is broken by an edit of the source, which stays TypeScript', () => {
    let source = readFileSync(join(root, file), 'utf8');
    const unbroken = source;
    for (const edit of [{ find, replace }, ...and]) {
      expect({ find: edit.find, times: source.split(edit.find).length - 1 }).toEqual({ find: edit.find, times: 1 });
      source = source.replace(edit.find, () => edit.replace);
    }
    expect(source).not.toBe(unbroken);
    expect(() => parseSync(source, { syntax: 'typescript', decorators: true })).not.toThrow();
  });

  it('names tests by what they are called, not whole files', () => {
    expect(existsSync(join(root, test))).toBe(true);
    expect(name).not.toBe('');
  });
});
