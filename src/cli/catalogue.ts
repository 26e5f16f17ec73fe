import { loadCatalogue } from '../app/startup/load-catalogue.js';
import { ask } from './ask.js';

/** `npm run catalogue`: adds the entries of the shipped catalogue that this database has not received yet. */
ask(
  'catalogue',
  {},
  async ({ db }) => loadCatalogue(db),
  ({ added }) => `${added} records added`,
);
