// `npm run floors` writes the table of src/floors.json into CONTRIBUTING.md; with `--check` it fails if the table is stale.
import './help.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'CONTRIBUTING.md');
const START = '<!-- floors: written by `npm run floors` from src/floors.json -->';
const END = '<!-- /floors -->';

/** The table of the floors, the highest first. */
function picture() {
  const floors = JSON.parse(readFileSync(join(root, 'src', 'floors.json'), 'utf8'));
  const rows = floors.map(({ floor, folders, holds }) => {
    const paths = folders.map((folder) => `[\`${folder}\`](src/${folder})`).join(', ');
    return `| ${floor} | ${paths} | ${holds} |`;
  });
  return ['| Floor | In `src` | Holds |', '| --- | --- | --- |', ...rows].join('\n');
}

const text = readFileSync(file, 'utf8');
const start = text.indexOf(START);
const end = text.indexOf(END);
if (start < 0 || end < start)
  throw new Error(`CONTRIBUTING.md must have the line ${START} and after it the line ${END}`);
const drawn = `${text.slice(0, start)}${START}\n\n${picture()}\n\n${text.slice(end)}`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, drawn);
} else if (drawn !== text) {
  process.stderr.write('The floors in CONTRIBUTING.md are stale: run `npm run floors` and commit it\n');
  process.exitCode = 1;
}
