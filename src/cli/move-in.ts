import { parseArgs } from 'node:util';
import { helpWith } from './help.js';
import { command, CommandError, CONNECTION_USAGE, connectionOptions } from './remote.js';

const USAGE = `Usage: npm run move-in -- netbox <dump.json | dump.json.gz> [--source NAME] [--dry-run] [--report FILE] [--no-custom-fields]
    [--netbox-version VERSION]
  Moves the estate of a NetBox, which \`manage.py dumpdata\` has written, into the service. It can be stopped and run again.
  --source            keeps two sources apart, netbox by default
  --dry-run           does everything but write
  --report            a file for what became of each object, as JSON lines
  --no-custom-fields  leaves out what has no field here
  --netbox-version    such as 4.0, if the dump does not tell it
${CONNECTION_USAGE}, which must be one of an administrator
Exit status: 0 when everything was moved, 3 when something was left out, 1 when it failed`;

/** Exit status when something was left out. */
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
      ...connectionOptions,
    },
  });
  const [system, path, ...others] = positionals;
  if (system !== 'netbox' || path === undefined || others.length > 0) throw new CommandError(USAGE);
  const { url, token } = values;
  // They take a moment to load, which the usage does not need.
  const { Ids } = await import('./move-in/model.js');
  const { Report } = await import('./move-in/report.js');
  const { Service } = await import('./move-in/service.js');
  const { Spool } = await import('./move-in/spool.js');
  const { CustomFields } = await import('./move-in/custom-fields.js');
  const { Move } = await import('./move-in/move.js');
  const { NetboxSource } = await import('./move-in/netbox/netbox.js');
  if (url.startsWith('http:') && !/^http:\/\/(?:127\.|localhost|\[::1\])/.test(url))
    process.stderr.write('The token is sent over http, which others on the way can read\n');
  const service = new Service({ url, token });
  await service.check();
  const spool = await Spool.create();
  try {
    const source = await NetboxSource.read(path, spool, values['netbox-version']);
    const report = new Report(values.report);
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
        onProgress: progress([...spool.counts.values()].reduce((sum, count) => sum + count, 0)),
      },
    );
    await move.run();
    await report.close();
    process.stdout.write(`${report.summary()}\n${isDryRun ? 'Dry run: nothing was written\n' : ''}`);
    if (report.hasLeftOut) process.exitCode = LEFT_OUT;
  } finally {
    await spool.remove();
  }
});

/** Shows how far the run is, and the time that is left, on a terminal. */
function progress(total: number): (kind: string, done: number) => void {
  const start = Date.now();
  let last = 0;
  return (kind, done) => {
    if (!process.stderr.isTTY || Date.now() - last < REDRAW) return;
    last = Date.now();
    const seconds = Math.round((((last - start) / done) * (total - done)) / 1000);
    process.stderr.write(`\r${done} of ${total} objects, ${kind}, ${seconds} s left\u001B[K`);
    if (done >= total) process.stderr.write('\n');
  };
}
