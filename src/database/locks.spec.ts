import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCKS } from './locks.js';
import type { Sql } from './sql.js';

const SOURCE = join(__dirname, '..');
const texts = new Map(
  readdirSync(SOURCE, { encoding: 'utf8', recursive: true })
    .filter((path) => /\.(?:ts|sql)$/.test(path) && !path.endsWith('.spec.ts') && !path.includes('migrations'))
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(SOURCE, path), 'utf8')]),
);

// The key of an address space is that of a function.
it('no other file of the service has the key of an advisory lock', () => {
  const others = [...texts].filter(
    ([path, text]) => path.endsWith('.ts') && /advisory_\w*lock\w*\((?!\$\{|prefix_space_lock)/.test(text),
  );
  expect(others.map(([path]) => path)).toEqual([]);
});

it('each lock has a key of its own, which those of functions do not use either', () => {
  const keys = Object.entries(LOCKS).map(([name, key]) => {
    const { text, values } =
      typeof key === 'function' ? (key as (...parts: never[]) => Sql)(...(['a', 'b', 'c'] as never[])) : key;
    return { name, key: `${text} ${JSON.stringify(values)}` };
  });
  expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
  const ofFunctions = [...texts].filter(([path]) => path.startsWith('schema/functions/')).map(([, text]) => text);
  const numbers = ofFunctions.flatMap((text) =>
    [...text.matchAll(/advisory_xact_lock\((\d+)\)/g)].map(([, number]) => number),
  );
  expect(numbers.length).toBeGreaterThan(0);
  expect(keys.filter(({ key }) => numbers.some((number) => key.startsWith(`${number} `)))).toEqual([]);
});
