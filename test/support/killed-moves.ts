import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS as NETBOX_KINDS } from '../../src/cli/move-in/netbox/kinds.js';
import { KINDS as SNIPE_IT_KINDS } from '../../src/cli/move-in/snipe-it/kinds.js';
import { startService, type Api, type TestService } from './app.js';
import { runCommand, startEntry } from './command.js';
import { KillingProxy, MOMENTS, type Moment } from './killing-proxy.js';
import { netboxEstate, netboxObject } from './netbox-estate.js';
import { SNIPE_IT_EXPORTS } from './snipe-it-exports.js';

/** A source, and the parts of the resulting estates to compare. */
interface KilledSource {
  files: Readonly<Record<string, string>>;
  /** Set for a command that reads files from a folder. */
  args: (folder: string) => string[];
  lists: readonly string[];
}

const listsOf = (kinds: readonly { resource: string }[]): string[] => [...new Set(kinds.map((kind) => kind.resource))];

/** Ports of one kind are more than one request takes. */
export const NETBOX: KilledSource = {
  files: {
    'dump.json': JSON.stringify([
      ...netboxEstate(),
      ...Array.from({ length: 600 }, (_, at) =>
        netboxObject('dcim.interface', 100 + at, {
          device: 42,
          name: `Gi${at}`,
          type: '1000base-t',
          tagged_vlans: [3],
        }),
      ),
    ]),
  },
  args: (folder) => ['netbox', join(folder, 'dump.json'), '--netbox-version', '4.2'],
  lists: [
    ...listsOf(NETBOX_KINDS).filter((list) => list !== 'responsibilities'),
    ...['custom-fields', 'device-port-vlans'],
  ],
};

export const SNIPE_IT: KilledSource = {
  files: SNIPE_IT_EXPORTS,
  args: (folder) => ['snipe-it', folder],
  lists: [...listsOf(SNIPE_IT_KINDS), 'custom-fields'],
};

/** The moments at which a mover is killed in a request, each of them once, with the name of the request. */
type Killing = (path: string, body: Buffer) => { name: string; moments: readonly Moment[] };

/** In each writing request, at a moment that depends on its content, so that all moments occur. */
export const EVERYWHERE: Killing = (path, body) => {
  const digest = createHash('sha256').update(path).update(body).digest();
  return { name: `${path} ${digest.toString('base64')}`, moments: [MOMENTS[digest[0]! % MOMENTS.length]!] };
};

/** Times, and ids that the service has given, differ from one estate to another. */
function comparable(record: Record<string, unknown>, hasGivenId: boolean): Record<string, unknown> {
  const others = { ...record };
  for (const property of ['createdAt', 'updatedAt', ...(hasGivenId ? ['id'] : [])]) delete others[property];
  // An assignment.
  if (others.currentAssignee) others.currentAssignee = { ...others.currentAssignee, id: null };
  return others;
}

async function estateOf(admin: Api, lists: readonly string[]): Promise<Record<string, unknown[]>> {
  const estate: Record<string, unknown[]> = {};
  for (const list of lists) {
    const { data } = (await admin.get(`/api/${list}?pageSize=5000`)).body as { data: Record<string, unknown>[] };
    const records = data.map((record) => comparable(record, list === 'custom-fields'));
    estate[list] = records.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return estate;
}

/**
 * Moves an estate into two services. Into one of them, the movers are killed again and again.
 * @returns names of the requests in which a mover was killed, each with the moment
 */
export async function killedMoves({ files, args, lists }: KilledSource, killing: Killing): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'killed-'));
  const exports = join(folder, 'exports');
  mkdirSync(exports);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(exports, name), content);
  const services: TestService[] = [];
  let proxy: KillingProxy | undefined;
  try {
    const start = async (): Promise<{ admin: Api; env: Record<string, string> }> => {
      const service = await startService();
      services.push(service);
      const admin = await service.as('admin');
      const { token } = await admin.make('/api/tokens', { name: 'mover' });
      // A killed mover cannot remove its files, so the folder is removed.
      return { admin, env: { INVENTORY_URL: service.url, INVENTORY_TOKEN: token, TMPDIR: folder } };
    };
    const [whole, killed] = [await start(), await start()];
    expect((await runCommand('move-in', args(exports), whole.env)).err).toBe('');

    proxy = await KillingProxy.before(killed.env.INVENTORY_URL!);
    const seen = new Set<string>();
    proxy.momentOf = (path, body) => {
      const { name, moments } = killing(path, body);
      const moment = moments.find((one) => !seen.has(`${name} ${one}`));
      if (moment) seen.add(`${name} ${moment}`);
      return moment;
    };
    for (let code: number | null = null; code === null;) {
      const { child, outcome } = startEntry('cli/move-in', args(exports), { ...killed.env, INVENTORY_URL: proxy.url });
      proxy.victim = child;
      const ended = await outcome;
      ({ code } = ended);
      if (code !== null) expect([[0, 3].includes(code), ended.err]).toEqual([true, '']);
    }
    expect(await estateOf(killed.admin, lists)).toEqual(await estateOf(whole.admin, lists));
    const log = async (): Promise<number> => (await killed.admin.get('/api/change-log?pageSize=1')).body.total;
    const before = await log();
    const { out } = await runCommand('move-in', args(exports), killed.env);
    // Created and updated.
    expect(out).toMatch(/^All +\d+ +0 +0 /m);
    expect(await log()).toBe(before);
    return [...seen];
  } finally {
    proxy?.close();
    for (const service of services) await service.stop();
    rmSync(folder, { recursive: true });
  }
}
