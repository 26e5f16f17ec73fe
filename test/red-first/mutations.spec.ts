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

// `npm run red-first` checks that a broken rule is noticed, which takes minutes. This suite only checks that the edits of the
// list still apply, and that the list names existing tests.
describe.each(mutations)('$rule', ({ rule, file, find, replace, test, name, and = [] }) => {
  it('is in the list once', () => {
    expect(mutations.filter((other) => other.rule === rule)).toHaveLength(1);
  });

  it('is broken by an edit of the source, which is still valid TypeScript', () => {
    let source = readFileSync(join(root, file), 'utf8');
    const unbroken = source;
    for (const edit of [{ find, replace }, ...and]) {
      expect({ find: edit.find, times: source.split(edit.find).length - 1 }).toEqual({ find: edit.find, times: 1 });
      source = source.replace(edit.find, () => edit.replace);
    }
    expect(source).not.toBe(unbroken);
    expect(() => parseSync(source, { syntax: 'typescript', decorators: true })).not.toThrow();
  });

  it('has the name of a test, not only of a file', () => {
    expect(existsSync(join(root, test))).toBe(true);
    expect(name).not.toBe('');
  });
});
