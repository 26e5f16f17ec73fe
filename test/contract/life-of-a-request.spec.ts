import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'internals', 'life-of-a-request.md'), 'utf8');

/** Each file that the page names, with the name in it that matters: `src/file.ts` (`name`), or (`src/file.ts`, `name`). */
const steps = [...page.matchAll(/`(src\/[^`]+\.ts)`(?:,|\s+\()\s*`(\w+)`/g)].map(
  ([, file, name]) => [file!, name!] as const,
);

it('names a function of every file', () => {
  const files = [...page.matchAll(/`(src\/[^`]+\.ts)`/g)].map(([, file]) => file);
  expect(files.filter((file) => !steps.some(([of]) => of === file))).toEqual(['src/http/errors.ts']);
  expect(new Set(files).size).toBeGreaterThan(30);
});

it.each(steps)('%s has %s', (file, name) => {
  const path = join(root, file);
  expect([file, existsSync(path)]).toEqual([file, true]);
  expect([name, RegExp(`\\b${name}\\b`).test(readFileSync(path, 'utf8'))]).toEqual([name, true]);
});
