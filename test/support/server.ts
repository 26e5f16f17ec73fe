import { onServer } from './database.js';

/** A test of what only a PostgreSQL server has, such as sessions at the same time. */
export const itOnServer: jest.It = onServer ? it : it.skip;
