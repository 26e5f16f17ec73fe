import { rules } from './rules.js';

// A set-up file of jest that breaks one rule in every file of the run.
const broken = rules.find(({ rule }) => rule === process.env.BROKEN_RULE);
if (broken) {
  const { sql, module, change } = broken;
  if (module) {
    const path = require.resolve(`../../${module.path}`);
    jest.doMock(path, () => {
      const actual = jest.requireActual<object>(path);
      return { ...actual, ...module.replace(actual) };
    });
  }
  if (sql) {
    const path = require.resolve('../support/database');
    jest.doMock(path, () => {
      const actual = jest.requireActual<typeof import('../support/database.js')>(path);
      const createTestDatabase = async (): ReturnType<typeof actual.createTestDatabase> => {
        const database = await actual.createTestDatabase();
        await database.dataSource.query(sql);
        return database;
      };
      return { ...actual, createTestDatabase };
    });
  }
  if (change) beforeAll(() => change());
}
