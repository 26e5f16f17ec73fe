import { startService, type Api, type TestService } from '../support/app.js';
import { itOnServer } from '../support/server.js';
import { itInFull } from '../support/size.js';

// Cards are read while a rack moves between two sites, and while the dates of coverage change.

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

jest.setTimeout(120_000);

// oxlint-disable-next-line typescript/no-explicit-any -- cards have any shape
type Json = any;

const NAMES = ['Here', 'There'];
const READS = 150;
const DAY = 86_400_000;

itOnServer('a rack that moves in between is on a card whole, or not at all', async () => {
  const sites: string[] = [];
  for (const name of NAMES) {
    const site = await admin.make('/api/sites', { name });
    sites.push(site.id as string);
    await admin.make(`/api/sites/${site.id}/responsibilities`, { roster: name });
    const issue = await admin.make('/api/known-issues', { name });
    await admin.make(`/api/known-issues/${issue.id}/targets`, { resource: 'sites', recordId: site.id });
  }
  const rack = await admin.make('/api/racks', { name: 'Mover', siteId: sites[0] });
  for (let n = 0; n < 20; n++) await admin.make('/api/devices', { name: `d${n}`, rackId: rack.id });
  const paths: string[] = [];
  for (const recordId of [sites[0], rack.id]) {
    const scheduledFor = '2031-03-03T08:00:00.000Z';
    const change = await admin.make('/api/change-requests', { name: 'Work', scheduledFor });
    const resource = recordId === rack.id ? 'racks' : 'sites';
    await admin.make(`/api/change-requests/${change.id}/targets`, { resource, recordId });
    paths.push(`/api/change-requests/${change.id}/card`);
  }
  const reading = { isOver: false };
  let moves = 0;
  const move = async (): Promise<void> => {
    while (!reading.isOver) {
      const answer = await admin.patch(`/api/racks/${rack.id}`, { siteId: sites[++moves % 2] });
      expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    }
  };
  const seen = new Set<string>();
  const read = async (): Promise<void> => {
    // Reads more often if a busy machine has moved the rack less often.
    for (let n = 0; n < READS || (seen.size < 4 && n < 10 * READS); n++) {
      const [ofSite, ofRack] = (await Promise.all(paths.map((path) => admin.get(path)))).map(
        ({ body }) => body.data as Json,
      );
      const { racks = 0, devices = 0 } = ofSite.reached.counts;
      expect([racks * 20, ofSite.coverage.uncovered.length, ofSite.replacement.unknown]).toEqual([
        devices,
        devices,
        devices,
      ]);
      expect([0, 20]).toContain(devices);
      // The rosters, the known issues and the last change come from different queries. All show the same site.
      const place = NAMES[sites.indexOf(ofRack.changes[0].after.siteId)]!;
      expect(ofRack.onCall.map(({ roster }: Json) => roster)).toEqual([place]);
      expect(ofRack.knownIssues.map(({ name }: Json) => name)).toEqual([place]);
      seen.add(`site ${devices}`).add(`rack ${place}`);
    }
  };
  const moving = move();
  await read().finally(() => (reading.isOver = true));
  await moving;
  expect([...seen].toSorted()).toEqual(['rack Here', 'rack There', 'site 0', 'site 20']);
  expect(moves).toBeGreaterThan(10);
});

itInFull('a day of coverage moves exactly those devices that are covered on no other day', async () => {
  const devices: string[] = [];
  for (let n = 0; n < 8; n++)
    devices.push((await admin.make('/api/devices', { name: `c${n}`, status: 'active' })).id as string);
  const dayAt = (offset: number): string => new Date(Date.UTC(2031, 5, 1) + offset * DAY).toISOString().slice(0, 10);
  const days = new Map<string, Map<string, [first: number, last: number]>>(devices.map((id) => [id, new Map()]));
  const links: { path: string; device: string }[] = [];
  for (let n = 0; n < 12; n++) {
    const contract = await admin.make('/api/contracts', { name: `Contract ${n}` });
    const device = devices[(n * 5) % 7]!;
    const span: [number, number] = [(n * 7) % 11, ((n * 7) % 11) + 1 + ((n * 3) % 5)];
    const link = await admin.make(`/api/contracts/${contract.id}/coverage`, {
      resource: 'devices',
      recordId: device,
      startDate: dayAt(span[0]),
      endDate: dayAt(span[1]),
    });
    const path = `/api/contracts/${contract.id}/coverage/${link.id}`;
    days.get(device)!.set(path, span);
    links.push({ path, device });
  }
  const exposedOn = async (offset: number): Promise<string[]> => {
    const { data } = (await admin.get(`/api/exposure?on=${dayAt(offset)}`)).body;
    return data
      .map(({ device }: Json) => device.id)
      .filter((id: string) => days.has(id))
      .toSorted();
  };
  const expected = (offset: number): string[] =>
    devices
      .filter((id) => ![...days.get(id)!.values()].some(([first, last]) => first <= offset && offset <= last))
      .toSorted();
  let moved = 0;
  const before = new Map<number, string[]>();
  for (let offset = -1; offset < 17; offset++) before.set(offset, await exposedOn(offset));
  for (const [n, { path, device }] of links.entries()) {
    const span = days.get(device)!.get(path)!;
    // Moves the last day forward or back by one day, then the first day.
    if (n % 2 === 0) span[1] += n % 4 === 0 ? 1 : -1;
    else span[0] += n % 4 === 1 ? 1 : -1;
    const answer = await admin.patch(path, { startDate: dayAt(span[0]), endDate: dayAt(span[1]) });
    expect(answer.status).toBe(200);
    for (let offset = -1; offset < 17; offset++) {
      const after = await exposedOn(offset);
      expect([path, offset, after]).toEqual([path, offset, expected(offset)]);
      const changed = [
        ...after.filter((id) => !before.get(offset)!.includes(id)),
        ...before.get(offset)!.filter((id) => !after.includes(id)),
      ];
      expect(changed.every((id) => id === device)).toBe(true);
      moved += changed.length;
      before.set(offset, after);
    }
  }
  expect(moved).toBeGreaterThan(3);
});
