import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../src/schema/migrations/index.js';
import digests from './frozen.json';

const FOLDER = join(__dirname, '../../src/schema/migrations');

const timestampOf = (name: string): number => Number(/\d{13}$/.exec(name)![0]);

// TypeORM runs them by their timestamps. One with an earlier timestamp than those before it in the list would run without them
// on a new database.
it('the migrations are listed in the order in which they run', () => {
  const listed = migrations.map(({ name }) => timestampOf(name));
  expect(listed).toEqual(listed.toSorted((a, b) => a - b));
});

// A database does not repeat a migration, so a changed migration would only affect new databases. `npm run migration:generate` adds
// the digest of a new one. For one that was written or edited by hand, take it from the failure of this test.
it('every migration is as it was published', () => {
  const files = readdirSync(FOLDER, { encoding: 'utf8', recursive: true }).filter(
    (path) => path !== 'index.ts' && statSync(join(FOLDER, path)).isFile(),
  );
  const found = files.map((path) => [
    path,
    createHash('sha256')
      .update(readFileSync(join(FOLDER, path)))
      .digest('hex'),
  ]);
  expect(Object.fromEntries(found)).toEqual(digests);
});
