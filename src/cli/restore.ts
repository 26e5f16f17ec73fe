import { parseArgs } from 'node:util';
import { loadConfiguration } from '../config/configuration.js';
import { helpWith } from './help.js';
import { command, CommandError } from './remote.js';

const USAGE = `Usage: npm run restore -- <file> [--replace]
Restores a backup into DATA_DIR, which must be empty and in use by no process. With --replace, the database and the key that are
there are put aside, under names that end with .replaced.`;

helpWith(USAGE);
/** `npm run restore -- inventory.backup`: the embedded database from a backup. */
command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false } },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new CommandError(USAGE);
  const { dataDir, secretKey } = loadConfiguration();
  const [{ restoreBackup }, { migrations }] = await Promise.all([
    import('../database/embedded/restore.js'),
    import('../schema/migrations/index.js'),
  ]);
  const known = new Set(migrations.map(({ name }) => name));
  const { madeAt, version, key } = await restoreBackup(file, dataDir, {
    replace: values.replace,
    knows: (migration) => known.has(migration),
  }).catch((error: Error) => {
    throw new CommandError(error.message, { cause: error });
  });
  const without = secretKey === undefined ? '. It contains no key: start the service with the SECRET_KEY of then' : '';
  process.stdout.write(
    `${dataDir} holds the backup of ${madeAt} by version ${version}${key ? '' : without}\nIt sends nothing to webhooks and serves no calendars until the service is started once with OUTBOUND=true\n`,
  );
});
