import { randomUUID } from 'node:crypto';
import { startService, type Api, type TestService } from '../support/app.js';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor', ['network']);
});
afterAll(() => service.stop());

const groupOf = (range: object = {}): Promise<{ id: string }> =>
  editor.make('/api/vlan-groups', { name: 'g', ...range });

describe('a vid', () => {
  it('is unique in its group only', async () => {
    const [one, other] = [await groupOf(), await groupOf()];
    const vlan = await editor.make('/api/vlans', { vid: 10, name: 'a', vlanGroupId: one.id });
    const taken = await editor.post('/api/vlans', { vid: 10, name: 'b', vlanGroupId: one.id });
    expect([taken.status, taken.body]).toEqual([
      409,
      {
        error: `vid is already taken by another VLAN of the group: 'a' (vlans ${vlan.id})`,
        details: [{ field: 'vid', message: `is already taken by another VLAN of the group: 'a' (vlans ${vlan.id})` }],
      },
    ]);
    await editor.make('/api/vlans', { vid: 10, name: 'b', vlanGroupId: other.id });
    const loose = await editor.make('/api/vlans', { vid: 10, name: 'c' });
    await editor.make('/api/vlans', { vid: 10, name: 'c' });
    expect((await editor.patch(`/api/vlans/${loose.id}`, { vlanGroupId: one.id })).status).toBe(409);
    expect((await editor.patch(`/api/vlans/${loose.id}`, { vlanGroupId: one.id, vid: 11 })).status).toBe(200);
    expect((await editor.patch(`/api/vlans/${vlan.id}`, { vid: 11 })).status).toBe(409);
  });

  it.each([0, 4095, -1, 1.5, '10'])('is not %p', async (vid) => {
    const { status, body } = await editor.post('/api/vlans', { vid, name: 'a' });
    expect([status, body.details[0].field]).toEqual([400, 'vid']);
  });

  it('is within the range of its group, including both ends', async () => {
    const group = await groupOf({ minVid: 100, maxVid: 101 });
    const low = await editor.make('/api/vlans', { vid: 100, name: 'a', vlanGroupId: group.id });
    await editor.make('/api/vlans', { vid: 101, name: 'b', vlanGroupId: group.id });
    const outside = 'vid must be within minVid and maxVid of its VLAN group';
    for (const vid of [99, 102]) {
      const refused = await editor.post('/api/vlans', { vid, name: 'c', vlanGroupId: group.id });
      expect([refused.status, refused.body.error]).toEqual([400, outside]);
      const moved = await editor.patch(`/api/vlans/${low.id}`, { vid });
      expect([moved.status, moved.body.error]).toEqual([400, outside]);
    }
    const elsewhere = await editor.make('/api/vlans', { vid: 5, name: 'd' });
    expect((await editor.patch(`/api/vlans/${elsewhere.id}`, { vlanGroupId: group.id })).status).toBe(400);
    const unknown = await editor.post('/api/vlans', { vid: 5, name: 'e', vlanGroupId: randomUUID() });
    expect([unknown.status, unknown.body.details[0].field]).toEqual([400, 'vlanGroupId']);
  });
});

describe('the range of a group', () => {
  it('does not end before it starts', async () => {
    const message = 'maxVid must not be less than minVid';
    const refused = await editor.post('/api/vlan-groups', { name: 'g', minVid: 20, maxVid: 10 });
    expect([refused.status, refused.body.error]).toEqual([400, message]);
    const group = await groupOf({ minVid: 20 });
    const changed = await editor.patch(`/api/vlan-groups/${group.id}`, { maxVid: 10 });
    expect([changed.status, changed.body.error]).toEqual([400, message]);
  });

  it('cannot exclude a VLAN of the group', async () => {
    const group = await groupOf();
    const vlan = await editor.make('/api/vlans', { vid: 50, name: 'a', vlanGroupId: group.id });
    for (const range of [{ minVid: 51 }, { maxVid: 49 }]) {
      const { status, code, body } = await editor.patch(`/api/vlan-groups/${group.id}`, range);
      expect([status, code, body.error]).toEqual([
        409,
        'conflict',
        `minVid and maxVid must include the vid of every VLAN in the group: 'a' (vlans ${vlan.id})`,
      ]);
    }
    expect((await editor.patch(`/api/vlan-groups/${group.id}`, { minVid: 50, maxVid: 50 })).status).toBe(200);
    await editor.delete(`/api/vlans/${vlan.id}`);
    expect((await editor.patch(`/api/vlan-groups/${group.id}`, { minVid: 60, maxVid: 70 })).status).toBe(200);
  });
});

describe('the available vids of a group', () => {
  const vidsOf = async (id: string, query = ''): Promise<number[]> =>
    (await editor.get(`/api/vlan-groups/${id}/available-vlans${query}`)).body.data.map(
      ({ vid }: { vid: number }) => vid,
    );

  it('are the lowest ones that no VLAN has', async () => {
    const group = await groupOf({ minVid: 10, maxVid: 15 });
    for (const vid of [10, 12]) await editor.make('/api/vlans', { vid, name: 'a', vlanGroupId: group.id });
    const { body } = await editor.get(`/api/vlan-groups/${group.id}/available-vlans`);
    expect(body).toEqual({ data: [{ vid: 11 }, { vid: 13 }, { vid: 14 }, { vid: 15 }] });
    expect(await vidsOf(group.id, '?pageSize=2')).toEqual([11, 13]);
    const all = await groupOf();
    expect(await vidsOf(all.id)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect((await vidsOf(all.id, '?pageSize=10000')).length).toBe(4094);
  });

  it.each(['?pageSize=0', '?pageSize=10001', '?pageSize=x', '?pageSize=1&pageSize=2', '?page=1'])(
    'refuse %s',
    async (query) => {
      const group = await groupOf();
      const { status, body } = await editor.get(`/api/vlan-groups/${group.id}/available-vlans${query}`);
      expect([status, body.details[0].field]).toEqual([400, query.slice(1).split('=')[0]]);
    },
  );

  it('name every fault of the query string', async () => {
    const group = await groupOf();
    const path = `/api/vlan-groups/${group.id}/available-vlans?pageSize=0&page=1`;
    const { faultCodes, body } = await editor.get(path);
    expect(body.details.map(({ field }: { field: string }) => field)).toEqual(['pageSize', 'page']);
    expect(faultCodes).toEqual(['out_of_range', 'unknown']);
  });

  it('become VLANs', async () => {
    const group = await groupOf({ minVid: 10, maxVid: 13 });
    await editor.make('/api/vlans', { vid: 11, name: 'a', vlanGroupId: group.id });
    const path = `/api/vlan-groups/${group.id}/available-vlans`;
    const one = await editor.post(path, { name: 'one' });
    expect([one.status, one.body.data]).toEqual([
      201,
      [expect.objectContaining({ vid: 10, name: 'one', vlanGroupId: group.id, status: 'active' })],
    ]);
    const { id } = one.body.data[0];
    expect((await editor.get(`/api/vlans/${id}`)).body.data).toEqual(one.body.data[0]);
    const several = await editor.post(path, { vlans: [{ name: 'b' }, { name: 'a' }] });
    expect(several.body.data.map(({ vid, name }: { vid: number; name: string }) => [vid, name])).toEqual([
      [12, 'b'],
      [13, 'a'],
    ]);
    const none = await editor.post(path, { name: 'c' });
    expect([none.status, none.body.details[0].field]).toEqual([409, 'vlans']);
  });

  it('are allocated together or not at all', async () => {
    const group = await groupOf({ minVid: 10, maxVid: 11 });
    const path = `/api/vlan-groups/${group.id}/available-vlans`;
    const { status, body } = await editor.post(path, { vlans: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    expect([status, body.error]).toEqual([409, 'vlans must not exceed what is available: 3 VLANs wanted, 2 available']);
    expect((await editor.get(`/api/vlans?vlanGroupId=${group.id}`)).body.total).toBe(0);
  });

  it.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: null }, 'name'],
    [{ vlans: [] }, 'vlans'],
    [{ vlans: [{}] }, 'vlans[0].name'],
    [{ name: 'a', vlans: [{ name: 'b' }] }, 'name'],
    [{ vlans: Array.from({ length: 257 }, () => ({ name: 'a' })) }, 'vlans'],
    [{ count: 2 }, 'count'],
  ])('are not allocated for %j', async (sent, field) => {
    const group = await groupOf();
    const { status, body } = await editor.post(`/api/vlan-groups/${group.id}/available-vlans`, sent);
    expect([status, body.details[0].field]).toEqual([400, field]);
  });

  it('are of existing groups only, and allocated by editors of the network', async () => {
    expect((await editor.get(`/api/vlan-groups/${randomUUID()}/available-vlans`)).status).toBe(404);
    expect((await editor.post(`/api/vlan-groups/${randomUUID()}/available-vlans`, { name: 'a' })).status).toBe(404);
    const group = await groupOf();
    const viewer = await service.as('viewer');
    expect((await viewer.get(`/api/vlan-groups/${group.id}/available-vlans`)).status).toBe(200);
    expect((await viewer.post(`/api/vlan-groups/${group.id}/available-vlans`, { name: 'a' })).status).toBe(403);
  });

  it('never go to two requests, nor to a VLAN that is created at the same time', async () => {
    const group = await groupOf({ minVid: 100, maxVid: 299 });
    const path = `/api/vlan-groups/${group.id}/available-vlans`;
    const answers = await Promise.all([
      ...Array.from({ length: 100 }, () => editor.post(path, { name: 'a' })),
      ...Array.from({ length: 50 }, (_, index) =>
        editor.post('/api/vlans', { vid: 100 + index, name: 'plain', vlanGroupId: group.id }),
      ),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 201));
    const made = statuses.filter((status) => status === 201).length;
    expect(statuses.filter((status) => status !== 201).every((status) => status === 409)).toBe(true);
    const { data } = (await editor.get(`/api/vlans?vlanGroupId=${group.id}`)).body;
    expect([data.length, new Set(data.map(({ vid }: { vid: number }) => vid)).size]).toEqual([made, made]);
  });
});
