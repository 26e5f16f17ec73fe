import { parseArgs } from 'node:util';
import { helpWith } from './help.js';
import type { Source } from './move-in/source.js';
import type { Spool } from './move-in/spool.js';
import { command, CommandError, CONNECTION_USAGE, connectionOptions, visible } from './remote.js';

const USAGE = `Usage: npm run move-in -- netbox <dump.json | dump.json.gz | https://…> [options]
       npm run move-in -- snipe-it <folder of CSV exports | https://…> [options]
  Moves the estate of a NetBox, from what \`manage.py dumpdata\` has written or over its API, or of a Snipe-IT into the service. It
  can be stopped and run again.
  --source NAME       keeps two sources apart, netbox or snipe-it by default
  --dry-run           does everything but write
  --report FILE       a file for what became of each object, as JSON lines
  --no-custom-fields  leaves out what has no field here
  --netbox-version V  such as 4.0, if the source does not tell it
  --encoding NAME     of the CSV exports, such as windows-1251, if it is not what the files look like
${CONNECTION_USAGE}, which must be one of an administrator. By default
                               one is made in the running service of DATA_DIR
  NETBOX_TOKEN, SNIPE_IT_TOKEN  a token of the source, if it is read over its API
Exit status: 0 when everything was moved, 3 when something was left out, 1 when it failed`;

/** Exit code if something was left out. */
const LEFT_OUT = 3;
/** Progress is shown at most this often, in milliseconds. */
const REDRAW = 200;

helpWith(USAGE);
/** `npm run move-in -- netbox dump.json.gz`: brings the estate of another system. */
command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      source: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      report: { type: 'string' },
      'no-custom-fields': { type: 'boolean', default: false },
      'netbox-version': { type: 'string' },
      encoding: { type: 'string' },
      ...connectionOptions,
    },
  });
  const [system, path, ...others] = positionals;
  if ((system !== 'netbox' && system !== 'snipe-it') || path === undefined || others.length > 0)
    throw new CommandError(USAGE);
  const { url, token } = values.token ? values : await ownService(values.url);
  // Loading these takes a moment, and printing the usage does not need them.
  const { Ids } = await import('./move-in/model.js');
  const { Report } = await import('./move-in/report.js');
  const { Service } = await import('./move-in/service.js');
  const { Spool } = await import('./move-in/spool.js');
  const { CustomFields } = await import('./move-in/custom-fields.js');
  const { Move } = await import('./move-in/move.js');
  const { isLocal } = await import('./move-in/requests.js');
  if (!URL.canParse(url)) throw new CommandError(`'${url}' is not the address of a service`);
  if (url.startsWith('http:') && !isLocal(url))
    process.stderr.write('The token is sent over http, which others on the way can read\n');
  const service = new Service({ url, token });
  await service.check();
  // After a signal, `process.exit` runs the handlers that remove the temporary files.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const spool = await Spool.create();
  const progress = statusLine();
  try {
    let read = 0;
    const source = await sourceOf(system, path, spool, values, () => progress.show(`${++read} objects read`));
    const report = new Report(spool, values.report);
    const isDryRun = values['dry-run'];
    const move = new Move(
      source,
      spool,
      service,
      new CustomFields(service, isDryRun),
      new Ids(values.source ?? system),
      report,
      {
        isDryRun,
        withoutCustomFields: values['no-custom-fields'],
        onProgress: timeLeft(
          [...spool.counts.values()].reduce((sum, count) => sum + count, 0),
          progress.show,
        ),
      },
    );
    await move.run();
    await report.close();
    progress.clear();
    process.stdout.write(`${visible(report.summary())}\n${isDryRun ? 'Dry run: nothing was written\n' : ''}`);
    if (report.hasLeftOut) process.exitCode = LEFT_OUT;
  } finally {
    await spool.remove();
  }
});

/**
 * The running service, by `DATA_DIR` or `DATABASE_URL`, and a token of its first administrator that is valid for a day.
 * @param url the address from the command line, if any
 */
async function ownService(url: string): Promise<{ url: string; token: string }> {
  const { loadConfiguration } = await import('../config/configuration.js');
  const { DATABASE, askOwner } = await import('../database/embedded/data-dir-lock.js');
  const { existsSync } = await import('node:fs');
  const { join } = await import('node:path');
  const configuration = loadConfiguration();
  const { dataDir, databaseUrl, port } = configuration;
  const own =
    process.env.INVENTORY_URL === undefined && process.env.PORT !== undefined ? `http://127.0.0.1:${port}` : url;
  const request = { email: configuration.adminEmail, name: 'move-in', days: 1, readOnly: false };
  if (databaseUrl === undefined) {
    const answer = existsSync(join(dataDir, DATABASE))
      ? await askOwner(dataDir, { command: 'token', ...request })
      : null;
    if (!answer)
      throw new CommandError(
        `No service runs on ${dataDir}, the directory of DATA_DIR. Start it, or give --url and --token`,
      );
    return { url: own, token: (answer as { token: string }).token };
  }
  const { openDatabase } = await import('../schema/open-database.js');
  const { openToken } = await import('../auth/token/token-request.js');
  const quiet = { error: () => {}, info: () => {} };
  const database = await openDatabase(configuration, quiet);
  try {
    return { url: own, token: await openToken(database.db, request) };
  } finally {
    await database.close();
  }
}

async function sourceOf(
  system: string,
  path: string,
  spool: Spool,
  { 'netbox-version': version, encoding }: { 'netbox-version'?: string; encoding?: string },
  onRead: () => void,
): Promise<Source> {
  if (system === 'netbox') {
    const { NetboxSource } = await import('./move-in/netbox/netbox.js');
    return NetboxSource.read(path, spool, version, onRead);
  }
  const { SnipeItSource } = await import('./move-in/snipe-it/snipe-it.js');
  return SnipeItSource.read(path, spool, onRead, encoding);
}

/** A line on a terminal, which the next one replaces. */
function statusLine(): { show: (text: string) => void; clear: () => void } {
  let last = 0;
  const write = (text: string): boolean => process.stderr.isTTY && process.stderr.write(`\r${text}\u001B[K`);
  return {
    show: (text) => {
      if (Date.now() - last < REDRAW) return;
      last = Date.now();
      write(text);
    },
    clear: () => write(''),
  };
}

/** Shows the progress and the remaining time. */
function timeLeft(total: number, show: (text: string) => void): (kind: string, done: number) => void {
  const start = Date.now();
  return (kind, done) => {
    const seconds = Math.round((((Date.now() - start) / done) * (total - done)) / 1000);
    show(`${done} of ${total} objects, ${kind}, ${seconds} s left`);
  };
}
