import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Whether a test file replaces modules, or imports what declares an entity. Modules of the worker would then differ for others. */
function changesModules(source: string): boolean {
  const imports = source.slice(0, source.search(/^(?:const|let|function|describe|it)\b/m));
  return /^ *jest\.(?:mock|doMock)\(/m.test(source) || /\bimport \{[^}]*\b(?:Record)?Entity\b/.test(imports);
}

it('a test file that changes modules has its own', () => {
  const sources = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.ts'))
      .map((name): [string, string] => [join(folder, name), readFileSync(join(ROOT, folder, name), 'utf8')]),
  );
  const changing = sources.filter(([, source]) => changesModules(source));
  expect(changing.length).toBeGreaterThan(2);
  const sharing = changing.filter(([, source]) => !source.startsWith('/** @jest-environment node */'));
  expect(sharing.map(([file]) => file)).toEqual([]);
});
