import { onServer } from './database.js';

/** A test of a feature of PostgreSQL servers only, for example concurrent sessions. */
export const itOnServer: jest.It = onServer ? it : it.skip;
