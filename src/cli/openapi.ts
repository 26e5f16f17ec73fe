import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfiguration } from '../config/configuration.js';
import { helpWith } from './help.js';

const USAGE = `Usage: npm run openapi [-- --check]
Writes openapi.json. With --check, only reports whether the file is current.`;

/** `npm run openapi` writes openapi.json; with `--check` it only reports whether the file is current. Needs no database. */
async function main(): Promise<void> {
  const [{ NestFactory }, { FastifyAdapter }, { AppModule }, { buildDocument }] = await Promise.all([
    import('@nestjs/core'),
    import('@nestjs/platform-fastify'),
    import('../app/app.module.js'),
    import('../openapi/document/build.js'),
  ]);
  // In preview mode nothing is instantiated, so the database and its secrets are not accessed.
  const parts = { configuration: loadConfiguration({}), dataSource: undefined as never, secrets: undefined as never };
  const app = await NestFactory.create(AppModule.with(parts), new FastifyAdapter(), {
    preview: true,
    logger: ['error'],
  });
  const text = `${JSON.stringify(buildDocument(app), null, 2)}\n`;
  const file = join(process.cwd(), 'openapi.json');
  if (process.argv.includes('--check')) {
    const current = await readFile(file, 'utf8').catch(() => '');
    if (current !== text) throw new Error('openapi.json is stale: run `npm run openapi` and commit it');
    process.stdout.write('openapi.json is current\n');
    return;
  }
  await writeFile(file, text);
  process.stdout.write(`${file}\n`);
}

helpWith(USAGE);
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
