import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { LoadedLibrary } from '../app/startup/load-library.js';
import { ask } from './ask.js';
import { helpWith } from './help.js';
import { command } from './remote.js';

const USAGE = `Usage: npm run catalogue [-- --library <folder>]
Adds the entries of the shipped catalogue that this database has not received yet. With --library, imports a checkout of the
device type library.`;

/** Minutes that a running service may take to import a library. */
const MINUTES = 10;

const report = ({
  files,
  created,
  updated,
  unchanged,
  skipped,
  manufacturersCreated,
  ignored,
  faulty,
}: LoadedLibrary): string =>
  [
    `${files} files: ${created} device types created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped as a customer's; ${manufacturersCreated} manufacturers created`,
    ...(Object.keys(ignored).length > 0 ? ['Not kept:'] : []),
    ...Object.entries(ignored)
      .toSorted(([, a], [, b]) => b - a)
      .map(([key, count]) => `  ${key} of ${count}`),
    ...(faulty.length > 0 ? ['Left out, because they have faults:'] : []),
    ...faulty.map((line) => `  ${line}`),
  ].join('\n');

helpWith(USAGE);
command(async () => {
  const { library } = parseArgs({ options: { library: { type: 'string' } } }).values;
  if (library === undefined) {
    ask(
      'catalogue',
      {},
      async ({ db }) => {
        const { loadCatalogue } = await import('../app/startup/load-catalogue.js');
        return loadCatalogue(db);
      },
      ({ added }) => `${added} records added`,
    );
  } else {
    ask(
      'catalogue',
      { library: resolve(library) },
      async ({ db, dataSource, configuration }) => {
        const [{ createApp }, { loadLibrary }, { openSecrets }] = await Promise.all([
          import('../app/app.setup.js'),
          import('../app/startup/load-library.js'),
          import('../app/startup/secret-key.js'),
        ]);
        const secrets = await openSecrets(configuration, db);
        const app = await createApp({ configuration: { ...configuration, logLevel: 'silent' }, dataSource, secrets });
        try {
          return await loadLibrary(app, db, library);
        } finally {
          await app.close();
        }
      },
      report,
      MINUTES * 60_000,
    );
  }
});
