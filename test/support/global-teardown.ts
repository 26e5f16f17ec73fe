import './typescript-resolution.cjs';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Removes every database of this run, including those of interrupted test files, unless its template is shared. */
export default async function tearDown(): Promise<void> {
  if (process.env.TEST_DATABASE_TEMPLATE_SHARED) return;
  const template = process.env.TEST_DATABASE_TEMPLATE!;
  if (!process.env.TEST_DATABASE_URL) {
    rmSync(dirname(template), { recursive: true, force: true });
    return;
  }
  // Not before it is needed, because loading it takes a second.
  const { administer } = await import('./database.js');
  const [found] = await administer(`SELECT datname FROM pg_database WHERE starts_with(datname, '${template}')`);
  await administer(
    ...found!.rows.map(({ datname }: { datname: string }) => `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`),
  );
}
