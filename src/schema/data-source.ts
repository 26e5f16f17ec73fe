import type { PoolConfig } from 'pg';
import { SESSION_CHANGES } from '../auth/credential/caller-lookup.js';
import { dataSourceOf, type ListeningDataSource } from '../database/data-source.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';

export const createDataSource = (pool: PoolConfig): ListeningDataSource =>
  dataSourceOf(pool, { entities, migrations, channels: [SESSION_CHANGES] });
