import type { PoolConfig } from 'pg';
import { SESSION_CHANGES } from '../auth/session/sessions.js';
import { dataSourceOf, type ListeningDataSource } from '../database/data-source.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';

/** The service's own database, reached through this pool. */
export const createDataSource = (pool: PoolConfig): ListeningDataSource =>
  dataSourceOf(pool, { entities, migrations, channels: [SESSION_CHANGES] });
