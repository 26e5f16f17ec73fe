import { fitting, KINDS } from '../../src/page/browser/cabling/fits.js';
import { itInBrowser } from '../support/browser.js';
import { faultsOfLayout } from '../support/layout.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* Ports and their other ends, cables between them, the power of a rack, and circuits with both ends. */
usePage();

const make = async (path: string, body: object): Promise<string> => (await admin.make(`/api/${path}`, body)).id;
const port = (deviceId: string, name: string, more: object = {}): Promise<string> =>
  make('device-ports', { deviceId, name, ...more });

it('the page offers what the service takes', async () => {
  const [one, other] = [await make('devices', { name: 'fits-one' }), await make('devices', { name: 'fits-other' })];
  const [circuit] = [await make('circuits', { circuitNumber: 'fits' })];
  const ends = async (device: string, side: string): Promise<[kind: string, resource: string, id: string][]> => {
    const rearPortId = await port(device, 'behind', { kind: 'rear' });
    const ports = KINDS.map(async (kind): Promise<[string, string, string]> => [
      kind,
      'device-ports',
      await port(device, 'end', { kind, ...(kind === 'front' && { rearPortId }) }),
    ]);
    return [
      ...(await Promise.all(ports)),
      ['circuit-terminations', 'circuit-terminations', await make(`circuits/${circuit}/terminations`, { side })],
      ['power-feeds', 'power-feeds', await make('power-feeds', { name: side })],
    ];
  };
  const [from, to] = [await ends(one, 'A'), await ends(other, 'Z')];
  for (const [kind, aResource, aId] of from) {
    const taken: string[] = [];
    for (const [otherKind, bResource, bId] of to) {
      const { status, body } = await admin.post('/api/cables', { aResource, aId, bResource, bId });
      if (status !== 201) continue;
      taken.push(otherKind);
      await admin.delete(`/api/cables/${body.data.id}`);
    }
    expect([kind, taken.toSorted()]).toEqual([kind, fitting(kind).toSorted()]);
  }
});

itInBrowser('a cable is drawn from a port of a device to one that fits', async () => {
  const { page, show, complaints } = opened;
  const [leaf, server] = [await make('devices', { name: 'leaf-01' }), await make('devices', { name: 'server-01' })];
  await port(leaf, 'Ethernet1');
  await port(leaf, 'Console', { kind: 'console' });
  for (const [name, more] of [
    ['eth10', {}],
    ['eth2', {}],
    ['bond0', { type: 'lag' }],
    ['PSU1', { kind: 'power' }],
  ] as const)
    await port(server, name, more);
  await show(`/devices/${leaf}`);
  const ports = page.getByRole('region', { name: 'Ports', exact: true });
  expect(await ports.getByRole('rowheader').allTextContents()).toEqual(['Network 1', 'Console 1']);
  await ports.getByRole('button', { name: 'Connect Ethernet1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Ethernet1' });
  await dialog.getByLabel('Device', { exact: true }).fill('server');
  await page.getByRole('option', { name: 'server-01' }).click();
  const choice = dialog.getByLabel('Port', { exact: true });
  await choice.locator('option').nth(2).waitFor({ state: 'attached' });
  // The ports are in natural order. Ports that take no cable are missing.
  expect(await choice.locator('option').allTextContents()).toEqual([
    'Choose a port',
    'eth2 (network)',
    'eth10 (network)',
  ]);
  await choice.selectOption({ label: 'eth10 (network)' });
  await dialog.getByLabel('Label').fill('C-0001');
  await dialog.getByRole('radio', { name: 'Aqua' }).check();
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('leaf-01 Ethernet1 is connected with server-01 eth10').waitFor();
  // The view stays on the device. Its table shows the cable.
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'leaf-01', exact: true }).waitFor();
  await ports
    .getByRole('row', { name: /Ethernet1/ })
    .getByRole('link', { name: 'C-0001' })
    .waitFor();
  const [cable] = (await admin.get('/api/cables?label=C-0001')).body.data;
  expect([cable.aName, cable.bName, cable.color]).toEqual(['leaf-01 Ethernet1', 'server-01 eth10', '#00ffff']);
  await show(`/cables/${cable.id}`);
  await page.getByText('Aqua', { exact: true }).waitFor();
  // The table also disconnects the cable, and Undo connects it again.
  await show(`/devices/${leaf}`);
  await ports.getByRole('button', { name: 'Disconnect Ethernet1' }).click();
  await ports.getByRole('button', { name: 'Connect Ethernet1' }).waitFor();
  expect((await admin.get(`/api/cables/${cable.id}`)).status).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await ports.getByRole('button', { name: 'Disconnect Ethernet1' }).waitFor();
  expect((await admin.get(`/api/cables/${cable.id}`)).status).toBe(200);
  await show(`/devices/${leaf}`);
  // Clicks lead from one end to the other.
  await ports.getByRole('link', { name: 'eth10' }).click();
  await page.getByRole('heading', { name: 'eth10' }).waitFor();
  const trace = page.getByRole('region', { name: 'Trace' });
  await trace.getByRole('link', { name: 'C-0001' }).waitFor();
  expect(await trace.getByRole('listitem').allInnerTexts()).toEqual([
    'server-01 eth10',
    expect.stringMatching(/^C-0001/),
    'leaf-01 Ethernet1',
  ]);
  expect(await page.locator('main img').count()).toBe(0);
  await trace.getByRole('link', { name: 'leaf-01' }).click();
  await page.getByRole('heading', { name: 'leaf-01', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('the table of ports names the VLANs that each carries', async () => {
  const { page, show } = opened;
  const device = await make('devices', { name: 'trunk-01' });
  const vlans: string[] = [];
  for (const [at, name] of ['Servers', 'Phones', 'Printers', 'Guests', 'Cameras', 'Doors'].entries())
    vlans.push(await make('vlans', { name, vid: 40 + at }));
  const trunk = await port(device, 'Ethernet1', { mode: 'tagged', untaggedVlanId: vlans[0] });
  for (const vlanId of vlans.slice(1)) await make('device-port-vlans', { portId: trunk, vlanId });
  await port(device, 'Ethernet2', { mode: 'access', untaggedVlanId: vlans[1] });
  await port(device, 'Ethernet3', { mode: 'tagged-all' });
  await show(`/devices/${device}`);
  const ports = page.getByRole('region', { name: 'Ports', exact: true });
  await ports.getByRole('link', { name: 'Cameras' }).waitFor();
  const cells = await ports.locator('[data-label=VLAN]').allInnerTexts();
  expect(cells.map((text) => text.split(/\s+/).join(' '))).toEqual([
    'Servers Phones tagged Printers tagged Guests tagged Cameras tagged and 1 more',
    'Phones',
    'Tagged (all)',
  ]);
  expect(await ports.getByRole('link', { name: 'Servers' }).getAttribute('href')).toBe(`#/vlans/${vlans[0]}`);
});

itInBrowser('a port of a device type has its type in the words of the trade', async () => {
  const { page, show } = opened;
  const manufacturerId = await make('manufacturers', { name: 'Words of the trade' });
  const deviceTypeId = await make('device-types', { model: 'Worded', manufacturerId });
  await make(`device-types/${deviceTypeId}/ports`, { name: 'Ethernet1', type: '25gbase-x-sfp28' });
  await show('/device-type-ports?search=Ethernet1');
  const row = page.getByRole('row', { name: /Ethernet1/ });
  await row.waitFor();
  expect(await row.locator('[data-label=Type]').innerText()).toBe('SFP28 (25GE)');
});

itInBrowser('one table has what is set on each port, and what it is plugged into', async () => {
  const { page, show, complaints } = opened;
  const [spine, other] = [await make('devices', { name: 'spine-09' }), await make('devices', { name: 'leaf-09' })];
  const type = '25gbase-x-sfp28';
  const uplink = await port(spine, 'Ethernet2', { type });
  for (let at = 10; at > 2; at--) await port(spine, `Ethernet${at}`, { type, enabled: at !== 9 });
  await port(spine, 'PSU1', { kind: 'power' });
  const end = await port(other, 'Ethernet49');
  const cable = { aId: uplink, bId: end, label: 'F-9', color: '#00ffff' };
  const cableId = await make('cables', cable);
  await make('ip-addresses', { address: '192.0.2.9/31', interfaceId: uplink });
  await show(`/devices/${spine}`);
  const ports = page.getByRole('region', { name: 'Ports', exact: true });
  await ports.getByRole('link', { name: 'F-9' }).waitFor();
  const headers = () => ports.getByRole('columnheader').allInnerTexts();
  // Columns without values, such as VLANs and descriptions, are hidden.
  expect(await headers()).toEqual(['Name', 'Type', 'Addresses', 'Other end', 'Cable', 'Connect']);
  const names = () => ports.locator('a.name').allInnerTexts();
  expect((await names()).slice(0, 9)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => `Ethernet${at}`));
  const first = ports.getByRole('row', { name: 'Ethernet2', exact: false }).first();
  expect(await first.getByRole('cell').allInnerTexts()).toEqual([
    'Ethernet2',
    'SFP28 (25GE)',
    '192.0.2.9/31',
    'leaf-09 Ethernet49',
    'F-9',
    'Disconnect',
  ]);
  expect(await first.getByRole('link', { name: 'Ethernet49' }).getAttribute('href')).toBe(
    `#/devices/${other}/ports/${end}`,
  );
  expect(await first.getByRole('link', { name: 'F-9' }).getAttribute('href')).toBe(`#/cables/${cableId}`);
  expect(await first.locator('.swatch').evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
    'rgb(0, 255, 255)',
  );
  expect(await ports.getByText(', disabled').count()).toBe(1);
  // The search covers all columns.
  await ports.getByRole('searchbox').fill('leaf-09 ethernet49');
  await ports.getByRole('link', { name: 'Ethernet3', exact: true }).waitFor({ state: 'detached' });
  expect(await names()).toEqual(['Ethernet2']);
  // The tab has the same table, with rows that can be ticked.
  await show(`/devices/${spine}?tab=ports`);
  await ports.getByRole('link', { name: 'F-9' }).waitFor();
  for (const name of ['Ethernet3', 'Ethernet10']) await ports.getByLabel(`Tick ${name}`, { exact: true }).check();
  await ports.getByRole('button', { name: 'Change a field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change a field of 2 records' });
  await dialog.getByLabel('Field', { exact: true }).selectOption('description');
  await dialog.getByLabel('Description', { exact: true }).fill('to the hypervisors');
  await dialog.getByRole('button', { name: 'Change 2 records' }).click();
  await dialog.waitFor({ state: 'detached' });
  await ports.getByRole('cell', { name: 'to the hypervisors' }).first().waitFor();
  expect(await headers()).toContain('Description');
  expect(await page.evaluate(faultsOfLayout)).toEqual([]);

  const machine = await make('virtual-machines', { name: 'web-09' });
  const vlanId = await make('vlans', { name: 'Users', vid: 10 });
  const nic = { name: 'eth0', untaggedVlanId: vlanId, mode: 'access' };
  await make(`virtual-machines/${machine}/interfaces`, nic);
  await show(`/virtual-machines/${machine}`);
  const interfaces = page.getByRole('region', { name: 'Interfaces', exact: true });
  expect(await interfaces.getByRole('columnheader').allInnerTexts()).toEqual(['Name', 'VLAN']);
  await interfaces.getByRole('link', { name: 'Users' }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser(
  'a cable without a label is called by its ends, shows each once, and its trace from end to end',
  async () => {
    const { page, show, complaints } = opened;
    const [leaf, panel, server] = [
      await make('devices', { name: 'leaf-20' }),
      await make('devices', { name: 'panel-20' }),
      await make('devices', { name: 'server-20' }),
    ];
    const [one, rear, nic] = [
      await port(leaf, 'Ethernet1'),
      await port(panel, 'R1', { kind: 'rear' }),
      await port(server, 'vmnic0'),
    ];
    const front = await port(panel, 'F1', { kind: 'front', rearPortId: rear });
    await make('cables', { aId: one, bId: front, label: 'P-1', color: '#ff0000', type: 'cat6a', lengthM: 3 });
    const cable = await make('cables', { aId: rear, bId: nic });
    await show(`/cables/${cable}`);
    expect(await page.locator('main h1').innerText()).toBe('panel-20 R1 – server-20 vmnic0');
    const fields = page.locator('main .title');
    expect(await fields.getByRole('term').allInnerTexts()).toEqual(expect.arrayContaining(['A end', 'B end']));
    expect((await fields.getByRole('term').allInnerTexts()).filter((text) => text.endsWith(' end'))).toHaveLength(2);
    await fields.getByRole('link', { name: 'panel-20 R1' }).waitFor();
    const trace = page.getByRole('region', { name: 'Trace' });
    await trace.getByText(/3 m/).waitFor();
    expect(await trace.getByRole('listitem').allInnerTexts()).toEqual([
      'leaf-20 Ethernet1',
      'P-1 Cat6a, 3 m',
      'panel-20 F1',
      'panel-20 R1',
      'Cable',
      'server-20 vmnic0',
    ]);
    // The port and the list of cables show the same name for the cable.
    await show(`/device-ports/${nic}`);
    await page.getByRole('link', { name: 'panel-20 R1 – server-20 vmnic0' }).waitFor();
    await show('/cables?label__empty=true');
    await page.getByRole('link', { name: 'panel-20 R1 – server-20 vmnic0' }).waitFor();
    expect(complaints).toEqual([]);
  },
);

itInBrowser('a rack shows its power, and a circuit both of its ends', async () => {
  const { page, show, complaints } = opened;
  const rack = await make('racks', { name: 'P1', units: 4 });
  const feed = await make('power-feeds', { name: 'Feed A', rackId: rack, voltageV: 230, amperageA: 10 });
  const [fed, unfed] = [
    await make('devices', { name: 'fed', rackId: rack }),
    await make('devices', { name: 'unfed', rackId: rack, rackPosition: 2 }),
  ];
  await port(unfed, 'PSU1', { kind: 'power' });
  const supply = await port(fed, 'PSU1', { kind: 'power', allocatedDrawW: 460 });
  await make('cables', { aResource: 'power-feeds', aId: feed, bId: supply });
  await show(`/racks/${rack}`);
  const power = page.getByRole('region', { name: 'Elevation' }).getByRole('region', { name: 'Power' });
  await power.getByText('460 W of 1840 W').waitFor();
  expect(await power.getByText('25 %').count()).toBe(1);
  expect(await power.getByText('Without power:').textContent()).toBe('Without power: unfed');
  await page.getByRole('link', { name: 'unfed, unit 2, without power' }).waitFor();
  const picture = await (await page.request.get(`${service.url}/api/racks/${rack}/elevation?format=svg`)).text();
  for (const line of ['· Feed A: 460 W of 1840 W, 25 %', 'Without power:']) expect(picture).toContain(line);

  const circuit = await make('circuits', { circuitNumber: 'C-7' });
  const router = await make('devices', { name: 'router-01' });
  const a = await make(`circuits/${circuit}/terminations`, { side: 'A', providerNetwork: 'AMS-IX' });
  await make('cables', {
    aResource: 'circuit-terminations',
    aId: a,
    bId: await port(router, 'xe-0/0/0'),
  });
  await show(`/circuits/${circuit}`);
  const end = page.getByRole('region', { name: 'End A' });
  await end.getByText('AMS-IX').waitFor();
  await end.getByRole('link', { name: 'router-01 xe-0/0/0' }).waitFor();
  await page.getByRole('link', { name: 'Add end Z' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('who may only read is offered neither a port nor a cable', async () => {
  const device = await make('devices', { name: 'read-only' });
  await port(device, 'eth0');
  const viewer = await service.as('viewer', ['network']);
  const { page, show } = await openPage(browser!, service, viewer.cookie);
  await show(`/devices/${device}`);
  const ports = page.getByRole('region', { name: 'Ports', exact: true });
  await ports.getByRole('link', { name: 'eth0' }).waitFor();
  expect(await ports.getByRole('link').allInnerTexts()).toEqual(['eth0']);
});
