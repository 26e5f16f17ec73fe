import { onPooler, onServer } from './database.js';

/** A test of a feature of PostgreSQL servers only, for example concurrent sessions. */
export const itOnServer: jest.It = onServer ? it : it.skip;

/** A test of what belongs to a connection: settings, prepared statements, notifications. A pooler does not pass them on. */
export const itDirectly: jest.It = onPooler ? it.skip : it;
