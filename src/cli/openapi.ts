import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { helpWith } from './help.js';

const USAGE = `Usage: npm run openapi [-- --check | --release]
Writes openapi.json. With --check, only reports whether the file is current. With --release, also keeps it as the document of this version
in openapi/, unless it breaks what the last release promised.`;

/** `npm run openapi` writes openapi.json, and may check or keep it. Needs no database. */
async function main(): Promise<void> {
  const [{ previewApp }, { NO_FIELDS }, { buildDocument }, { printed }] = await Promise.all([
    import('../app/preview.js'),
    import('../fields/custom/defined-fields.js'),
    import('../openapi/document/build.js'),
    import('../openapi/document/print.js'),
  ]);
  const text = printed(buildDocument(await previewApp(), NO_FIELDS));
  const file = join(process.cwd(), 'openapi.json');
  if (process.argv.includes('--check')) {
    const current = await readFile(file, 'utf8').catch(() => '');
    if (current !== text) throw new Error('openapi.json is stale: run `npm run openapi` and commit it');
    process.stdout.write('openapi.json is current\n');
    return;
  }
  await writeFile(file, text);
  process.stdout.write(`${file}\n`);
  if (process.argv.includes('--release')) await release(text);
}

/** Stores the document as that of this version. @throws Error if it breaks the last release in a way that is not allowed */
async function release(text: string): Promise<void> {
  const [{ freeze, lastRelease, undeclared }, { breaksOf }, { packageVersion }] = await Promise.all([
    import('../openapi/release/releases.js'),
    import('../openapi/release/breaks.js'),
    import('../openapi/document/version.js'),
  ]);
  const folder = join(process.cwd(), 'openapi');
  const last = lastRelease(folder);
  if (last) {
    const breaks = breaksOf(last.document, JSON.parse(text) as Record<string, unknown>);
    const changelog = await readFile(join(process.cwd(), 'CHANGELOG.md'), 'utf8');
    const faults = undeclared(breaks, last.version, packageVersion(), changelog);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }
  process.stdout.write(`openapi/${freeze(folder, packageVersion(), text)}\n`);
}

helpWith(USAGE);
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
