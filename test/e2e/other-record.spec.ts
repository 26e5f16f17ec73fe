import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

interface Made {
  id: string;
}

describe('a conflict names the other record', () => {
  const cases: Record<string, () => Promise<[path: string, body: object, resource: string, name: string]>> = {
    'the email of a person': async () => {
      const email = `${randomUUID()}@example.com`;
      await admin.make('/api/people', { fullName: 'Lovelace, Ada', email: email.toUpperCase() });
      return ['/api/people', { fullName: 'Grace', email }, 'people', 'Lovelace, Ada'];
    },
    'the number of an order': async () => {
      const body = { orderNumber: 'PO-1, (2)=(3)', items: [{ name: 'A', quantity: 1 }] };
      await admin.make('/api/purchase-orders', body);
      return ['/api/purchase-orders', body, 'purchase-orders', body.orderNumber];
    },
    'the vid of a group': async () => {
      const { id: vlanGroupId } = await admin.make('/api/vlan-groups', { name: 'group' });
      const body = { vid: 12, name: 'Voice', vlanGroupId };
      await admin.make('/api/vlans', body);
      return ['/api/vlans', { ...body, name: 'Data' }, 'vlans', 'Voice'];
    },
    'a prefix without a VRF': async () => {
      await admin.make('/api/prefixes', { prefix: '10.9.0.0/16' });
      return ['/api/prefixes', { prefix: '10.9.0.0/16' }, 'prefixes', '10.9.0.0/16'];
    },
    'the name of a port': async () => {
      const { id } = await admin.make('/api/devices', { name: 'switch' });
      await admin.make(`/api/devices/${id}/ports`, { name: 'Gi1/0, a' });
      return [`/api/devices/${id}/ports`, { name: 'Gi1/0, a' }, 'device-ports', 'Gi1/0, a'];
    },
    'the number of a circuit': async () => {
      const { id: vendorId } = await admin.make('/api/vendors', { name: 'Carrier' });
      const body = { vendorId, circuitNumber: 'A, B' };
      await admin.make('/api/circuits', { ...body, circuitNumber: 'B' });
      await admin.make('/api/circuits', body);
      return ['/api/circuits', body, 'circuits', 'A, B'];
    },
    'a target': async () => {
      const { id } = await admin.make('/api/incidents', { name: 'No power' });
      const { id: recordId } = await admin.make('/api/devices', { name: 'ams-sw-07' });
      const body = { resource: 'devices', recordId };
      await admin.make(`/api/incidents/${id}/targets`, body);
      return [`/api/incidents/${id}/targets`, body, 'incident-targets', 'ams-sw-07'];
    },
  };
  const idOf = ({ body }: Answer): string => /[0-9a-f-]{36}/.exec(body.error)![0];

  it.each(Object.entries(cases))('of %s, alone and in a bulk', async (_, make) => {
    const [path, body, resource, name] = await make();
    const refused = await admin.post(path, body);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining(`: '${name}' (${resource} `)]);
    expect(refused.body.details).toEqual([
      { field: expect.any(String), message: expect.stringContaining(`: '${name}' (${resource} `) },
    ]);
    const { body: known } = await admin.get(`${path}/${idOf(refused)}`);
    expect((known.data as Made).id).toBe(idOf(refused));
    const bulk = await admin.post(`${path}/bulk`, { operations: [{ op: 'create', data: body }] });
    expect([bulk.status, bulk.body.error]).toEqual([
      409,
      expect.stringMatching(new RegExp(`^operations\\[0\\]\\.data\\.\\w+ .*${idOf(refused)}\\)$`)),
    ]);
  });

  it('of a change too, and says nothing of a record of the same request', async () => {
    const [one, other] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    const { id } = await admin.make('/api/people', { fullName: 'First', email: one });
    const { id: changed } = await admin.make('/api/people', { fullName: 'Second', email: other });
    const refused = await admin.patch(`/api/people/${changed}`, { email: one });
    expect(refused.body.error).toBe(`email is already used by another person: 'First' (people ${id})`);
    const twice = { op: 'create', data: { fullName: 'Twin', email: `${randomUUID()}@example.com` } };
    const bulk = await admin.post('/api/people/bulk', { operations: [twice, twice] });
    expect(bulk.body.error).toBe('operations[1].data.email is already used by another person');
  });

  it('of the email of a profile, to administrators', async () => {
    const body = { email: `${randomUUID()}@example.com`, password: 'a passphrase of another record' };
    const { id } = await admin.make('/api/profiles', body);
    const refused = await admin.post('/api/profiles', { ...body, email: body.email.toUpperCase() });
    expect([refused.status, refused.body.error]).toEqual([
      409,
      `email is already used by another profile: '${body.email}' (profiles ${id})`,
    ]);
  });

  it('of a VLAN that the range of its group would exclude', async () => {
    const { id: vlanGroupId } = await admin.make('/api/vlan-groups', { name: 'range' });
    await admin.make('/api/vlans', { vid: 300, name: 'Guests', vlanGroupId });
    const { id } = await admin.make('/api/vlans', { vid: 200, name: 'Voice', vlanGroupId });
    const refused = await admin.patch(`/api/vlan-groups/${vlanGroupId}`, { maxVid: 100 });
    expect([refused.status, refused.body.error]).toEqual([
      409,
      `minVid and maxVid must include the vid of every VLAN in the group: 'Voice' (vlans ${id})`,
    ]);
  });
});
