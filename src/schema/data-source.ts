import type { PoolConfig } from 'pg';
import { SESSION_CHANGES } from '../auth/credential/caller-lookup.js';
import { DEFINITION_CHANGES } from '../fields/custom/definition-store.js';
import { dataSourceOf, type ServiceDataSource } from '../database/data-source.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';

export const createDataSource = (pool: PoolConfig, preparedStatements?: boolean): ServiceDataSource =>
  dataSourceOf(pool, { entities, migrations, channels: [SESSION_CHANGES, DEFINITION_CHANGES] }, preparedStatements);
