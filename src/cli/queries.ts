import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { helpWith } from './help.js';

const USAGE = `Usage: npm run queries [-- --check]
Writes the statements of each resource to queries/<resource>.sql. With --check, only reports whether the files are current.`;

const FOLDER = join(process.cwd(), 'queries');

/** `npm run queries` writes or checks the statements of the resources. Needs no database. */
async function main(): Promise<void> {
  const files = await makeFiles();
  const current = new Map<string, string>();
  for (const name of await readdir(FOLDER).catch(() => [])) {
    if (name.endsWith('.sql')) current.set(name, await readFile(join(FOLDER, name), 'utf8'));
  }
  const stale = [...files.keys()].filter((name) => files.get(name) !== current.get(name));
  const gone = [...current.keys()].filter((name) => !files.has(name));
  if (process.argv.includes('--check')) {
    if (stale.length + gone.length === 0) return void process.stdout.write('queries/ is current\n');
    throw new Error(`queries/ is stale (${[...stale, ...gone].join(', ')}): run \`npm run queries\` and commit it`);
  }
  await mkdir(FOLDER, { recursive: true });
  for (const name of stale) await writeFile(join(FOLDER, name), files.get(name)!);
  for (const name of gone) await rm(join(FOLDER, name));
  process.stdout.write(`${FOLDER}: ${files.size} files, ${stale.length} of them changed, ${gone.length} deleted\n`);
}

/** The files by name. */
async function makeFiles(): Promise<Map<string, string>> {
  const [{ ModulesContainer }, { previewApp }, { ownResources }, { declaredSqlOf, resourceNameOf }, { statementsOf }] =
    await Promise.all([
      import('@nestjs/core'),
      import('../app/preview.js'),
      import('../resource/controlled-resources.js'),
      import('../lists/record-sql.js'),
      import('../records/statements.js'),
    ]);
  const files = new Map<string, string>();
  for (const { record, controlled } of ownResources((await previewApp()).get(ModulesContainer))) {
    const name = `${resourceNameOf(declaredSqlOf(record).table)}.sql`;
    files.set(name, await statementsOf(record, controlled.owner));
  }
  return files;
}

helpWith(USAGE);
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
