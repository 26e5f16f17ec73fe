import { onPooler, onServer } from './database.js';

/** A test of a feature of PostgreSQL servers only, for example concurrent sessions. */
export const itOnServer: jest.It = onServer ? it : it.skip;

/** A test of the state of a connection: settings, prepared statements, notifications. A pooler does not pass it on. */
export const itDirectly: jest.It = onPooler ? it.skip : it;
