import { startService, type Api, type TestService } from '../support/app.js';
import { reportRackConflicts } from '../../src/app/startup/rack-conflicts.js';

/** The devices and the free units of a rack. */
let service: TestService;
let editor: Api;
const types: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor');
  const sizes = {
    full1: { uHeight: 1 },
    full2: { uHeight: 2 },
    shallow1: { uHeight: 1, isFullDepth: false },
    half: { uHeight: 0.5, isFullDepth: false },
    none: {},
  };
  for (const [model, size] of Object.entries(sizes)) {
    types[model] = (await editor.make('/api/device-types', { model, ...size })).id;
  }
});
afterAll(() => service.stop());

const rack = async (fields: object = {}) => editor.make('/api/racks', { name: 'R1', units: 4, ...fields });
const place = async (rackId: string, type: string, rackPosition: number | null, more: object = {}): Promise<string> => {
  const device = { name: `${type}@${rackPosition}`, rackId, rackPosition, deviceTypeId: types[type], ...more };
  return (await editor.make('/api/devices', device)).id;
};
const read = async (path: string) => {
  const { status, body } = await editor.get(path);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
};

it('the elevation has every unit of a face from the top, with its device', async () => {
  const role = await editor.make('/api/device-roles', { name: 'Core', color: '#102030' });
  const { id } = await rack();
  const deep = await place(id, 'full2', 3, { name: 'deep', deviceRoleId: role.id, rackFace: 'rear' });
  const shallow = await place(id, 'shallow1', 1);
  const behind = await place(id, 'shallow1', 1, { rackFace: 'rear' });
  const [low, high] = [await place(id, 'half', 2), await place(id, 'half', 2.5)];
  const flat = await place(id, 'none', 1);
  const waiting = await place(id, 'full1', null, { name: 'waiting' });
  const elevation = await read(`/api/racks/${id}/elevation`);
  const { devices, ...rest } = elevation;
  expect(rest).toEqual({
    rackId: id,
    name: 'R1',
    units: 4,
    face: 'front',
    rows: [
      { unit: 4, deviceId: deep },
      { unit: 3, deviceId: deep },
      { unit: 2, deviceId: low },
      { unit: 1, deviceId: shallow },
    ],
    unplaced: [{ id: waiting, name: 'waiting' }],
    conflicts: [],
    reservations: [],
  });
  expect(devices[0]).toEqual({
    id: deep,
    name: 'deep',
    position: 3,
    uHeight: 2,
    face: 'rear',
    isFullDepth: true,
    color: '#102030',
  });
  expect(devices.map((device: { id: string }) => device.id).toSorted()).toEqual(
    [deep, high, low, flat, shallow].toSorted(),
  );
  const rear = await read(`/api/racks/${id}/elevation?face=rear`);
  expect(rear.rows.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual([deep, deep, null, behind]);
});

it('the title of the picture tells racks of one name apart', async () => {
  const site = await editor.make('/api/sites', { name: 'Amsterdam' });
  const hall = await editor.make('/api/locations', { name: 'Hall <2>', siteId: site.id });
  const titleOf = async (fields: object): Promise<string | undefined> => {
    const { id } = await rack({ name: 'A1', ...fields });
    const { text } = await editor.get(`/api/racks/${id}/elevation?format=svg`);
    return /<title>([^<]*)/.exec(text)?.[1];
  };
  expect(await titleOf({})).toBe('A1, front, 4 units');
  expect(await titleOf({ siteId: site.id })).toBe('A1 · Amsterdam, front, 4 units');
  expect(await titleOf({ siteId: site.id, locationId: hall.id })).toBe(
    'A1 · Hall &#60;2&#62; · Amsterdam, front, 4 units',
  );
});

it('the positions where a device fits depend on its height and its face', async () => {
  const { id } = await rack({ units: 6 });
  const available = (query = ''): Promise<number[]> => read(`/api/racks/${id}/available-units${query}`);
  expect(await available()).toEqual([1, 2, 3, 4, 5, 6]);
  await place(id, 'shallow1', 2);
  await place(id, 'full1', 4);
  expect(await available()).toEqual([1, 3, 5, 6]);
  expect(await available('?face=front')).toEqual([1, 3, 5, 6]);
  expect(await available('?face=rear')).toEqual([1, 2, 3, 5, 6]);
  expect(await available('?uHeight=2')).toEqual([5]);
  expect(await available('?uHeight=2&face=rear')).toEqual([1, 2, 5]);
  expect(await available('?uHeight=1.5')).toEqual([5, 5.5]);
  expect(await available('?uHeight=7')).toEqual([]);
  for (const query of ['uHeight=0', 'uHeight=0.3', 'uHeight=x', 'face=side', 'units=1', 'uHeight=1&uHeight=2']) {
    expect((await editor.get(`/api/racks/${id}/available-units?${query}`)).status).toBe(400);
  }
  const { id: unknown } = await rack({ units: null });
  await place(unknown, 'full2', 2);
  expect(await read(`/api/racks/${unknown}/available-units`)).toEqual([1, 4]);
});

it('a rack has any number of units, and of a very high one the lowest 1,000 are shown', async () => {
  const units = 2_147_483_647;
  const { id } = await rack({ units });
  const top = await place(id, 'full2', 1000);
  expect((await read(`/api/racks/${id}`)).units).toBe(units);
  const { rows, devices, conflicts } = await read(`/api/racks/${id}/elevation`);
  expect([rows.length, rows[0], rows.at(-1)]).toEqual([
    1000,
    { unit: 1000, deviceId: top },
    { unit: 1, deviceId: null },
  ]);
  expect([devices.length, conflicts]).toEqual([1, []]);
  expect((await editor.get(`/api/racks/${id}/elevation?format=svg`)).text.length).toBeLessThan(200_000);
  expect(await read(`/api/racks/${id}/available-units?uHeight=0.5`)).toHaveLength(1998);
  expect((await read(`/api/racks/${id}/utilisation`)).freeUnits).toBe(units - 2);
  const filled = await read('/api/utilisation?resource=racks&atLeast=0');
  expect(filled.find((entry: { id: string }) => entry.id === id)).toMatchObject({ used: '2', size: `${units}` });
  expect((await editor.post('/api/racks', { name: 'R2', units: units + 1 })).status).toBe(400);
  const warned: unknown[] = [];
  await reportRackConflicts(service.database.db, {
    warn: (...found: unknown[]) => warned.push(found),
  });
  expect(warned).toEqual([]);
});

it('a rack without units has no room', async () => {
  const { id } = await rack({ units: 0 });
  const device = { name: 'd', rackId: id, rackPosition: 1, deviceTypeId: types.full1 };
  expect((await editor.post('/api/devices', device)).body.error).toBe(
    `rackPosition does not fit: 'd' with a height of 1 at position 1, while rack 'R1' has no units`,
  );
  expect((await read(`/api/racks/${id}/elevation`)).rows).toEqual([]);
  expect(await read(`/api/racks/${id}/available-units`)).toEqual([]);
  expect(await read(`/api/racks/${id}/utilisation`)).toEqual({
    units: 0,
    usedUnits: 0,
    freeUnits: 0,
    utilisation: null,
  });
  expect((await editor.get(`/api/racks/${id}/elevation?format=svg`)).status).toBe(200);
});

it('the utilisation counts a unit once, on whichever face it is taken', async () => {
  const { id } = await rack();
  const path = `/api/racks/${id}/utilisation`;
  expect(await read(path)).toEqual({ units: 4, usedUnits: 0, freeUnits: 4, utilisation: 0 });
  await place(id, 'shallow1', 1);
  await place(id, 'shallow1', 1, { rackFace: 'rear' });
  await place(id, 'half', 2.5, { rackFace: 'rear' });
  await place(id, 'none', 3);
  expect(await read(path)).toEqual({ units: 4, usedUnits: 1.5, freeUnits: 2.5, utilisation: 0.375 });
  const { id: unknown } = await rack({ units: null });
  await place(unknown, 'full2', 2);
  expect(await read(`/api/racks/${unknown}/utilisation`)).toEqual({
    units: null,
    usedUnits: 2,
    freeUnits: null,
    utilisation: null,
  });
});

describe('the picture', () => {
  const draw = (id: string, query = '?format=svg', headers?: Record<string, string>) =>
    editor.get(`/api/racks/${id}/elevation${query}`, headers);

  it('is what `format`, or else `Accept`, asks for', async () => {
    const { id } = await rack();
    const typeOf = async (...request: [string?, Record<string, string>?]): Promise<string | null> =>
      (await draw(id, ...request)).headers.get('content-type');
    const accept = (value: string) => ({ accept: value });
    const svg = 'image/svg+xml';
    const json = 'application/json; charset=utf-8';
    expect(await typeOf()).toBe(svg);
    expect(await typeOf('', accept('image/svg+xml'))).toBe(svg);
    expect(await typeOf('', accept('image/avif,image/svg+xml,*/*;q=0.8'))).toBe(svg);
    expect(await typeOf('?format=json', accept('image/svg+xml'))).toBe(json);
    for (const value of ['*/*', 'text/html,*/*;q=0.8', 'text/plain', 'application/json, image/svg+xml']) {
      expect(await typeOf('', accept(value))).toBe(json);
    }
    expect((await draw(id, '?format=png')).status).toBe(400);
  });

  it('says what its colours mean, which status devices have and where the rack stands', async () => {
    const site = await editor.make('/api/sites', { name: 'Amsterdam' });
    const { id } = await rack({ siteId: site.id, status: 'reserved' });
    const [core, leaf, unseen] = await Promise.all(
      [
        { name: 'Core switch', color: '#102030' },
        { name: 'Leaf switch', color: '#AABBCC' },
        { name: 'Behind', color: '#ff0000' },
      ].map((role) => editor.make('/api/device-roles', role)),
    );
    await place(id, 'full1', 4, { name: 'core', deviceRoleId: core!.id });
    await place(id, 'full1', 3, { name: 'leaf', deviceRoleId: leaf!.id, status: 'planned', rackFace: 'rear' });
    await place(id, 'shallow1', 2, { name: 'plain' });
    await place(id, 'shallow1', 1, { name: 'behind', deviceRoleId: unseen!.id, rackFace: 'rear' });
    const { text } = await draw(id);
    const texts = [...text.matchAll(/<text[^>]*>([^<]*)/g)].map(([, content]) => content);
    expect(texts).toContain('front, 4 units, reserved, site Amsterdam');
    const legend = [...text.matchAll(/width="9" height="9" rx="2" fill="([^"]*)"\/><svg[^>]*><text[^>]*>([^<]*)/g)];
    expect(legend.map(([, color, role]) => [role, color])).toEqual([
      ['Core switch', '#102030'],
      ['Leaf switch', '#aabbcc'],
      ['no role', '#8a94a0'],
    ]);
    expect(texts).toEqual(expect.arrayContaining(['2 active, 1 planned', 'leaf', 'rear, planned']));
    expect(text).toContain('<title>leaf, unit 3, 1 U, rear, full depth, Leaf switch, planned</title>');
    expect((await draw((await rack()).id)).text).toContain('>front, 4 units, active, no site<');
  });

  it('runs and loads nothing, whatever the names and colours are', async () => {
    const hostile = `</text><script>alert(1)</script><image href="//evil" onload='x'/>&amp;]]>`;
    const role = await editor.make('/api/device-roles', { name: 'x', color: 'red;"/><script>1</script>' });
    const { id } = await rack({ name: hostile });
    await place(id, 'full1', 1, { name: hostile, deviceRoleId: role.id });
    await place(id, 'half', 2, { name: '😀'.repeat(120) });
    await place(id, 'none', 3, { name: hostile });
    await place(id, 'full1', null, { name: `\u001B${hostile}` });
    const { headers, text } = await draw(id);
    expect(headers.get('content-security-policy')).toContain(`default-src 'none'`);
    expect(text).not.toMatch(/<(?:script|image)|onload='|red;/);
    expect([...text.matchAll(/<(\w+)/g)].map(([, name]) => name).filter((name) => !TAGS.includes(name!))).toEqual([]);
    expect(text).toContain('&#60;/text&#62;&#60;script&#62;');
    // Every character is intact, except the one that XML does not allow.
    expect(text.split('\uFFFD')).toHaveLength(2);
    expect(text).not.toContain('\u001B');
  });
});

const TAGS = ['svg', 'title', 'style', 'text', 'rect', 'path', 'g'];
