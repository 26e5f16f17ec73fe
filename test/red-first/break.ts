import type { TestDatabase } from '../support/database.js';
import { rules } from './rules.js';

/** `require` of the service and its packages, which Node loads: see test/support/environment.cjs. */
declare const native: NodeJS.Require;

/** Replaces exports of a module before another one loads it. */
function replace(path: string, change: (actual: object) => object): void {
  const actual = native(path) as object;
  native.cache[path]!.exports = { ...actual, ...change(actual) };
}

// A set-up file of jest that breaks one rule in every file of the run.
const broken = rules.find(({ rule }) => rule === process.env.BROKEN_RULE);
if (broken) {
  const { sql, module, change } = broken;
  if (module) replace(require.resolve(`../../${module.path}`), module.replace);
  if (sql) {
    replace(require.resolve('../support/database'), (actual) => {
      const { createTestDatabase } = actual as { createTestDatabase(): Promise<TestDatabase> };
      return {
        createTestDatabase: async () => {
          const database = await createTestDatabase();
          await database.dataSource.query(sql);
          return database;
        },
      };
    });
  }
  if (change) beforeAll(() => change());
}
