import { randomUUID } from 'node:crypto';
import { startService, type Api, type TestService } from '../support/app.js';
import { sql, type Sql } from '../../src/database/sql.js';
import { itInFull } from '../support/size.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const make = (resource: string, body: object): Promise<{ id: string; name: string }> =>
  admin.make(`/api/${resource}`, body);

const run = (statement: Sql): Promise<Record<string, unknown>[]> => service.database.db.query(statement);

interface Reached {
  resource: string;
  id: string;
  name: string;
  effect: string;
  via: { resource: string; id: string; name: string };
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
async function impactOf(resource: string, id: string, caller = admin): Promise<any> {
  const answer = await caller.get(`/api/${resource}/${id}/impact`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data;
}

/** The affected records, each as `resource name effect via`. */
const lines = (records: Reached[]): string[] =>
  records.map(({ resource, name, effect, via }) => `${resource} ${name} ${effect} via ${via.resource} ${via.name}`);

/** Creates a site with records of every kind, and a cluster that has one host elsewhere. */
async function estate() {
  const site = await make('sites', { name: 'Amsterdam' });
  const room = await make('locations', { name: 'Room', siteId: site.id });
  const cage = await make('locations', { name: 'Cage', parentId: room.id });
  const rack = await make('racks', { name: 'A1', locationId: cage.id });
  const asset = await make('assets', { name: 'Chassis', locationId: room.id });
  const cluster = await make('clusters', { name: 'vsphere' });
  const device = await make('devices', { name: 'core', rackId: rack.id, clusterId: cluster.id });
  const made = await make('devices', { name: 'made', assetId: asset.id });
  const port = await make(`devices/${device.id}/ports`, { name: 'eth0' });
  await make('ip-addresses', { address: '10.0.0.1/24', interfaceId: port.id });
  const vm = await make('virtual-machines', { name: 'web', clusterId: cluster.id });
  const away = await make('devices', { name: 'away', clusterId: cluster.id });
  return { site, room, cage, rack, asset, cluster, device, made, port, vm, away };
}

describe('the impact of a record', () => {
  it('is everything that it contains, with the record through which each was reached', async () => {
    const { site, room, away } = await estate();
    const impact = await impactOf('sites', site.id);
    expect(impact.record).toEqual({ resource: 'sites', id: site.id, name: 'Amsterdam' });
    const all = [
      'locations Cage down via locations Room',
      'locations Room down via sites Amsterdam',
      'racks A1 down via locations Cage',
      'assets Chassis down via locations Room',
      'devices core down via racks A1',
      'devices made down via assets Chassis',
      'device-ports eth0 down via devices core',
      'ip-addresses 10.0.0.1/24 down via devices core',
      'clusters vsphere degraded via devices core',
      'virtual-machines web degraded via clusters vsphere',
    ];
    expect(lines(impact.records)).toEqual(all);
    expect(impact.counts).toEqual({
      locations: 2,
      racks: 1,
      assets: 1,
      devices: 2,
      'device-ports': 1,
      'ip-addresses': 1,
      clusters: 1,
      'virtual-machines': 1,
    });
    expect(lines((await impactOf('locations', room.id)).records)).toEqual(
      all.filter((line) => !line.startsWith('locations Room')),
    );
    // A cluster goes down with its last host.
    await admin.patch(`/api/devices/${away.id}`, { locationId: room.id });
    expect(lines((await impactOf('sites', site.id)).records).slice(-2)).toEqual(
      ['clusters vsphere down via devices away', 'virtual-machines web down via clusters vsphere'].map((line) =>
        expect.stringMatching(line.replace('away', '(away|core)')),
      ),
    );
  });

  it.each([
    ['racks', 'rack', ['devices', 'device-ports', 'ip-addresses', 'clusters', 'virtual-machines']],
    ['devices', 'device', ['device-ports', 'ip-addresses', 'clusters', 'virtual-machines']],
    ['assets', 'asset', ['devices']],
    ['clusters', 'cluster', ['virtual-machines']],
    ['virtual-machines', 'vm', []],
  ] as const)('of %s has what they contain', async (resource, name, reached) => {
    const made = await estate();
    const impact = await impactOf(resource, made[name].id);
    expect(Object.keys(impact.counts)).toEqual(reached);
    expect([...new Set(impact.records.map((record: Reached) => record.resource))]).toEqual(reached);
    // The failed record itself is always down, whatever its hosts do.
    if (resource === 'clusters') expect(impact.records[0].effect).toBe('down');
  });

  it('has a record once, however many ways lead to it', async () => {
    const { rack, cluster } = await estate();
    await make('devices', { name: 'second', rackId: rack.id, clusterId: cluster.id });
    const impact = await impactOf('racks', rack.id);
    expect(impact.counts).toMatchObject({ devices: 2, clusters: 1, 'virtual-machines': 1 });
    expect(lines(impact.records).filter((line) => line.startsWith('clusters'))).toHaveLength(1);
  });

  it('ends where locations contain each other, which only SQL by hand makes them do', async () => {
    const [a, b] = [await make('locations', { name: 'a' }), await make('locations', { name: 'b' })];
    await make('devices', { name: 'd', locationId: b.id });
    await run(sql`ALTER TABLE locations DISABLE TRIGGER USER`);
    await run(
      sql`UPDATE locations SET parent_id = CASE WHEN id = ${a.id} THEN ${b.id} ELSE ${a.id} END::uuid WHERE id IN (${a.id}, ${b.id})`,
    );
    await run(sql`ALTER TABLE locations ENABLE TRIGGER USER`);
    const incident = await make('incidents', { name: 'Loop' });
    await make(`incidents/${incident.id}/targets`, { resource: 'locations', recordId: b.id });
    const impact = await impactOf('locations', a.id);
    expect(lines(impact.records)).toEqual(['locations b down via locations a', 'devices d down via locations b']);
    expect(impact.incidents).toEqual([{ resource: 'incidents', id: incident.id, name: 'Loop' }]);
  });

  it('has what operations has to do with it, for those with the area', async () => {
    const { site, rack, device, vm, away } = await estate();
    const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    const about = async (owner: string, body: object, resource: string, recordId: string): Promise<void> => {
      const { id } = await make(owner, body);
      await make(`${owner}/${id}/targets`, { resource, recordId });
    };
    await about('incidents', { name: 'above' }, 'sites', site.id);
    await about('incidents', { name: 'itself' }, 'racks', rack.id);
    await about('incidents', { name: 'below' }, 'virtual-machines', vm.id);
    await about('incidents', { name: 'beside' }, 'devices', away.id);
    await about('incidents', { name: 'over', status: 'closed' }, 'racks', rack.id);
    await about('maintenance-windows', { name: 'now', startTime: at(-1) }, 'devices', device.id);
    await about('maintenance-windows', { name: 'coming', startTime: at(5), endTime: at(6) }, 'racks', rack.id);
    await about('maintenance-windows', { name: 'past', startTime: at(-5), endTime: at(-4) }, 'racks', rack.id);
    await about('maintenance-windows', { name: 'off', startTime: at(5), status: 'cancelled' }, 'racks', rack.id);
    await about('change-requests', { name: 'planned', scheduledFor: at(5) }, 'racks', rack.id);
    await about('change-requests', { name: 'done', status: 'completed' }, 'racks', rack.id);
    const names = (records: { name: string }[]): string[] => records.map(({ name }) => name);
    const impact = await impactOf('racks', rack.id);
    expect(names(impact.incidents)).toEqual(['below', 'itself', 'above']);
    expect(names(impact.maintenanceWindows)).toEqual(['now', 'coming']);
    expect(names(impact.changeRequests)).toEqual(['planned']);
    const viewer = await service.as('viewer', []);
    expect(Object.keys(await impactOf('racks', rack.id, viewer))).toEqual(['record', 'counts', 'records']);
  });

  it('of a record that does not exist is not found', async () => {
    expect((await admin.get(`/api/racks/${randomUUID()}/impact`)).status).toBe(404);
    expect((await service.anonymous.get(`/api/racks/${randomUUID()}/impact`)).status).toBe(401);
  });

  itInFull('of a site with 10,000 devices shows the first 1,000 records', async () => {
    const site = await make('sites', { name: 'Large' });
    await run(
      sql`INSERT INTO devices (name, site_id) SELECT 'd' || to_char(n, 'FM00000'), ${site.id} FROM generate_series(1, 10000) n`,
    );
    await run(sql`INSERT INTO device_ports (device_id, name) SELECT id, 'p' FROM devices WHERE site_id = ${site.id}`);
    await run(sql`ANALYZE`);
    await impactOf('sites', site.id);
    const impact = await impactOf('sites', site.id);
    expect(impact.counts).toEqual({ devices: 10_000, 'device-ports': 10_000 });
    expect(impact.records).toHaveLength(1000);
    expect(impact.records[999].name).toBe('d01000');
  });
});
