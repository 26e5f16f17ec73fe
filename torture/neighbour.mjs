// A neighbour of this version (docs/adr/0020-versions-and-migrations.md): a possible next release. It has the next minor number, a
// migration that expands, a new trigger on the new column, and a changed function.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const MIGRATION = `ALTER TABLE sites ADD COLUMN motto text;
CREATE INDEX ix_sites_motto ON sites (motto);
`;

const TRIGGER = `CREATE OR REPLACE FUNCTION sites_motto() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.motto := 'At ' || NEW.name;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER sites_motto BEFORE INSERT OR UPDATE OF name ON sites FOR EACH ROW EXECUTE FUNCTION sites_motto();
`;

/** In the functions that log every create and delete. */
const CHANGED = ['GET DIAGNOSTICS written = ROW_COUNT;', 'GET DIAGNOSTICS written := ROW_COUNT;'];

/** Writes the source of the neighbour into a directory, with the packages that are installed here. @returns its version */
export function makeNeighbour(directory) {
  mkdirSync(directory, { recursive: true });
  for (const name of ['src', 'scripts', 'package.json']) {
    cpSync(join(root, name), join(directory, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const replace = (path, change) => {
    const file = join(directory, path);
    const text = readFileSync(file, 'utf8');
    const changed = change(text);
    if (changed === text) throw new Error(`${path} has nothing to change`);
    writeFileSync(file, changed);
  };
  const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = current.replace(/\d+(?=\.\d+$)/, (minor) => String(Number(minor) + 1));
  replace('package.json', (text) => text.replace(`"version": "${current}"`, `"version": "${version}"`));
  replace('src/schema/functions/logged_rows.sql', (text) => text.replace(...CHANGED));
  // The triggers of every table of records are created again, while others write.
  replace('src/schema/functions/log_records.sql', (text) => `-- Of the next version.\n${text}`);
  writeFileSync(join(directory, 'src', 'schema', 'migrations', '9999999999999-mottos.sql'), MIGRATION);
  writeFileSync(join(directory, 'src', 'schema', 'functions', 'sites_motto.sql'), TRIGGER);
  return version;
}

// `node torture/neighbour.mjs <directory>` writes the source there, and prints the version.
if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(makeNeighbour(process.argv[2]));
