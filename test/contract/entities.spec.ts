import { getDataSourceToken, getRepositoryToken } from '@nestjs/typeorm';
import type { DataSource, Repository } from 'typeorm';
import { createApp } from '../../src/app/app.setup.js';
import { loadConfiguration } from '../../src/config/configuration.js';
import { Database } from '../../src/database/database.js';
import { Secrets } from '../../src/access/secrets.js';
import { entities } from '../../src/schema/entities.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

it('a module provides a repository of each entity, on the one data source that closes with the application', async () => {
  const { dataSource } = database;
  const app = await createApp({
    configuration: loadConfiguration({ LOG_LEVEL: 'silent' }),
    dataSource,
    secrets: new Secrets('a key that only the tests use, 32+'),
  });
  expect(app.get<DataSource>(getDataSourceToken())).toBe(dataSource);
  expect(app.get(Database)).toBe(database.db);
  expect(entities.length).toBeGreaterThan(40);
  for (const entity of entities) {
    const repository = app.get<Repository<object>>(getRepositoryToken(entity as never), { strict: false });
    expect(repository.metadata.target).toBe(entity);
    expect(await repository.find({ take: 1 })).toEqual([]);
  }
  await app.close();
  expect(dataSource.isInitialized).toBe(false);
});
