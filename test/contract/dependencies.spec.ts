import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
const record = readFileSync(join(root, 'docs/adr/0003-dependencies.md'), 'utf8');

it.each(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))(
  'ADR 3 gives the reason for %s',
  (name) => {
    expect(record).toMatch(new RegExp(`(^|[\\s|])${name.replaceAll(/[/.]/g, '\\$&')}([\\s,;]|$)`, 'm'));
  },
);
