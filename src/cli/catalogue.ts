import { loadCatalogue } from '../app/startup/load-catalogue.js';
import { ask } from './ask.js';

/** `npm run catalogue`: adds what the shipped catalogue has and this database was never given. */
ask(
  'catalogue',
  {},
  async ({ db }) => loadCatalogue(db),
  ({ added }) => `${added} records added`,
);
