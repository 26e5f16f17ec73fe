import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../src/schema/functions');

it('no trigger joins the former rows of a statement with its new ones', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
  expect(names.length).toBeGreaterThan(50);
  // The plan of a trigger is kept from a statement of one row, and would compare each of ten thousand rows with all others. The rows
  // are compared by EXCEPT, or added up.
  const joining = names.filter((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll(/--.*$/gm, '');
    return /\b(?:old|new)_rows(?:\s+\w+)?\s*(?:,|(?:\w+\s+){0,2}JOIN)\s*(?:LATERAL\s+)?\(?\s*(?:old|new)_rows\b/i.test(
      text,
    );
  });
  expect(joining).toEqual([]);
});
