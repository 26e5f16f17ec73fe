import { clicks, focusIn, form, hand, heading, itTakes, paste, pick, said, tabTo, use, useHand } from './doing.js';
import type { Hand } from './hands.js';
import { admin, opened } from './page.js';

/* The tasks of users in the page, with the maximum number of clicks from the record or list where they start. */

/** Each of these tasks, done with one kind of input. */
export function doTasks(given: Hand): void {
  useHand(given);

  describe('addresses', () => {
    let prefixId: string;
    beforeAll(async () => {
      const device = await admin.make('/api/devices', { name: 'core-1' });
      for (const name of ['eth1', 'eth2']) await admin.make(`/api/devices/${device.id}/ports`, { name });
      prefixId = (await admin.make('/api/prefixes', { prefix: '10.60.0.0/24' })).id;
    });
    const begin = () => Promise.resolve(`/prefixes/${prefixId}`);
    const bind = async (port: string): Promise<void> => {
      await focusIn('allocated-device');
      await pick('core-1');
      await focusIn('allocated-port');
      await pick(port);
      await use('button', 'Allocate');
      await heading('10.60.0.0/24');
    };
    const boundTo = async (address: string): Promise<string> =>
      (await admin.get(`/api/ip-addresses?address=${encodeURIComponent(address)}&expand=interface`)).body.data[0]
        ?.interface?.name;

    itTakes('the next free address for a port', 4, begin, async () => {
      await use('link', 'Allocate an address');
      await bind('eth1');
      await said('10.60.0.1/24 allocated');
      expect(await boundTo('10.60.0.1/24')).toBe('eth1');
    });
    itTakes('a chosen free address for a port', 4, begin, async () => {
      await use('link', '10.60.0.9');
      await bind('eth2');
      await said('10.60.0.9/24 allocated');
      expect(await boundTo('10.60.0.9/24')).toBe('eth2');
    });
  });

  describe('racks', () => {
    let rackId: string;
    beforeAll(async () => {
      const site = await admin.make('/api/sites', { name: 'Harbour' });
      rackId = (await admin.make('/api/racks', { name: 'H1', units: 12, siteId: site.id })).id;
      const type = await admin.make('/api/device-types', { model: 'Switch 48', uHeight: 1 });
      const operations = Array.from({ length: 48 }, (_, at) => ({ op: 'create', data: { name: `Gi1/0/${at + 1}` } }));
      await admin.post(`/api/device-types/${type.id}/ports/bulk`, { operations });
      await admin.make('/api/device-roles', { name: 'Floor switch' });
    });
    itTakes(
      'a new switch with the ports of its type, placed by clicking the rack',
      8,
      () => Promise.resolve(`/racks/${rackId}`),
      async () => {
        await use('link', 'Add a device in unit 7');
        await form(/^Create/);
        await opened.page.keyboard.type('floor-1');
        await tabTo('Role');
        await pick('Floor switch');
        await tabTo('Type');
        await pick('Switch 48');
        await opened.page.getByLabel('With the ports of its type').waitFor();
        await use('button', 'Create');
        await heading('floor-1');
        const [device] = (await admin.get('/api/devices?name=floor-1&expand=rack')).body.data;
        expect([device.rack.name, device.rackPosition]).toEqual(['H1', 7]);
        expect((await admin.get(`/api/devices/${device.id}/ports`)).body.total).toBe(48);
      },
    );
    itTakes(
      'what goes down with a rack',
      1,
      () => Promise.resolve(`/racks/${rackId}`),
      async () => {
        await use('link', 'Impact');
        await opened.page.locator('main .impact').getByText('floor-1').first().waitFor();
      },
    );
    itTakes(
      'ports by a range',
      4,
      async () => {
        const { id } = await admin.make('/api/devices', { name: 'ranged' });
        return `/devices/${id}`;
      },
      async () => {
        const ports = opened.page.getByRole('region', { name: 'Ports', exact: true });
        await hand.use(ports.getByRole('link', { name: 'Add' }));
        await form(/^Create/);
        await opened.page.keyboard.type('Gi1/0/[1-24]');
        await opened.page.getByText(/Creates 24 .*Gi1\/0\/1 to Gi1\/0\/24/).waitFor();
        await use('button', 'Create');
        await said('24 ports created');
        const [device] = (await admin.get('/api/devices?name=ranged')).body.data;
        expect((await admin.get(`/api/devices/${device.id}/ports?name=Gi1/0/24`)).body.total).toBe(1);
      },
    );
  });

  describe('orders and assets', () => {
    itTakes(
      'an order with two lines',
      6,
      () => Promise.resolve('/purchase-orders'),
      async () => {
        const { page } = opened;
        await use('link', 'New purchase order');
        await form(/^Create/);
        await page.keyboard.type('PO-77');
        await tabTo('Name');
        await page.keyboard.type('Transceiver');
        await tabTo('Quantity');
        await page.keyboard.type('4');
        await page.keyboard.press('Tab');
        await page.keyboard.type('64.00');
        await hand.enter(page.getByLabel('Name').nth(1));
        await page.keyboard.type('Power supply');
        await tabTo('Quantity');
        await page.keyboard.type('2');
        await use('button', 'Create');
        await heading('PO-77');
        const [order] = (await admin.get('/api/purchase-orders?orderNumber=PO-77')).body.data;
        expect(order.items.map((one: { name: string; quantity: number }) => [one.name, one.quantity])).toEqual([
          ['Transceiver', 4],
          ['Power supply', 2],
        ]);
      },
    );
    itTakes(
      'receiving 30 units, with a column that is pasted',
      3,
      async () => {
        const items = [{ name: 'Catalyst', quantity: 30 }];
        const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-30', items, status: 'ordered' });
        return `/purchase-orders/${order.id}`;
      },
      async () => {
        const { page } = opened;
        await use('link', 'Receive');
        await heading('Receive PO-30');
        await hand.enter(page.getByLabel('Serial number of unit 1 of Catalyst', { exact: true }));
        await paste(Array.from({ length: 30 }, (_, at) => `SN${100 + at}\tAT-${100 + at}\r\n`).join(''));
        await use('button', 'Receive 30 units');
        await said('30 units received');
        const { data } = (await admin.get('/api/assets?name=Catalyst&pageSize=50&sort=assetTag')).body;
        expect(data.map((one: Record<string, string>) => [one.serialNumber, one.assetTag])).toEqual(
          Array.from({ length: 30 }, (_, at) => [`SN${100 + at}`, `AT-${100 + at}`]),
        );
      },
    );
    let assetId: string;
    beforeAll(async () => {
      await admin.make('/api/people', { fullName: 'Grace Hopper' });
      assetId = (await admin.make('/api/assets', { name: 'Laptop 9', assetTag: 'L-9' })).id;
      for (const tag of ['L-1', 'L-2', 'L-3'])
        await admin.make('/api/assets', { name: `Laptop ${tag}`, assetTag: tag });
    });
    itTakes(
      'handing out',
      3,
      () => Promise.resolve(`/assets/${assetId}`),
      async () => {
        await use('link', 'Hand out');
        await form(/Hand out/);
        await pick('Grace', 'Grace Hopper');
        await use('button', 'Hand out');
        await heading('Laptop 9');
        expect((await admin.get(`/api/assets/${assetId}`)).body.data.currentAssignee).toMatchObject({
          fullName: 'Grace Hopper',
        });
      },
    );
    itTakes(
      'taking back',
      3,
      () => Promise.resolve(`/assets/${assetId}`),
      async () => {
        await use('link', 'Take back');
        await heading(/Take back/);
        await use('button', 'Take back');
        await heading('Laptop 9');
        expect((await admin.get(`/api/assets/${assetId}`)).body.data.currentAssignee).toBeNull();
      },
    );
    itTakes(
      'a sheet of labels for the ticked assets',
      3,
      () => Promise.resolve('/assets'),
      async () => {
        const { page } = opened;
        await hand.use(page.getByLabel('Tick Laptop L-1'));
        await hand.use(page.getByLabel('Tick Laptop L-2'));
        await use('link', 'Print labels');
        await heading('2 labels');
        const sheet = new URL((await page.locator('img.paper').getAttribute('src'))!, page.url()).href;
        expect(await (await page.request.get(sheet)).text()).toContain('L-2');
      },
    );
    /** Changes the status of the ticked rows, after a preview. */
    const changeStatus = async (word: string, count: number): Promise<void> => {
      const { page } = opened;
      await use('button', 'Change a field');
      const dialog = page.getByRole('dialog');
      await hand.choose(dialog.getByLabel('Field', { exact: true }), 'Status');
      await use('radio', word);
      await dialog.getByText(`${count} of ${count} would change. Nothing is written yet.`).waitFor();
      await use('button', `Change ${count} records`);
      await said(`Status of ${count} records changed`);
    };
    const many = async (path: string, count: number, data: object): Promise<string> => {
      const operations = Array.from({ length: count }, (_, at) => ({
        op: 'create',
        data: { name: `One of ${count}, ${at}`, ...data },
      }));
      await admin.post(`/api${path}/bulk`, { operations });
      return `${path}?search=One of ${count}`;
    };
    itTakes(
      'retiring twelve assets that are ticked',
      3,
      () => many('/assets', 12, { status: 'in_stock' }),
      async () => {
        await hand.use(opened.page.getByLabel('Tick all of this page'));
        await clicks();
        await changeStatus('Retired', 12);
        expect((await admin.get('/api/assets?search=One of 12&status=retired')).body.total).toBe(12);
      },
    );
    itTakes(
      'a field of 40 records, a dry run first',
      4,
      () => many('/devices', 40, { status: 'planned' }),
      async () => {
        await hand.use(opened.page.getByLabel('Tick all of this page'));
        await changeStatus('Active', 40);
        expect((await admin.get('/api/devices?search=One of 40&status=active')).body.total).toBe(40);
      },
    );
    itTakes(
      'what ends in 60 days',
      2,
      async () => {
        const soon = new Date(Date.now() + 45 * 86_400_000).toISOString();
        await admin.make('/api/software-licences', { name: 'Ending licence', expiryDate: soon });
        await admin.make('/api/assets', { name: 'Ending warranty', warrantyUntil: soon.slice(0, 10) });
        return '/expirations';
      },
      async () => {
        await use('button', '60 days');
        for (const name of ['Ending licence', 'Ending warranty'])
          await opened.page.locator('main tbody').getByText(name).waitFor();
      },
    );
  });

  describe('on call', () => {
    beforeAll(async () => {
      for (const fullName of ['Ann One', 'Ben Two', 'Cem Three', 'Dee Four'])
        await admin.make('/api/people', { fullName });
    });
    itTakes(
      'a weekly rotation of four people for three months',
      8,
      () => Promise.resolve('/on-call-schedules'),
      async () => {
        const { page } = opened;
        await use('link', 'Plan a rotation');
        await focusIn('rotation-roster');
        await page.keyboard.type('Network');
        await page.keyboard.press('Tab');
        for (const name of ['Ann One', 'Ben Two', 'Cem Three', 'Dee Four']) {
          await tabTo('People, in their order');
          await pick(name);
          await page.locator('.references li').getByText(name).waitFor();
        }
        await page.getByRole('region', { name: 'Preview' }).getByText('Dee Four').waitFor();
        await use('button', /^Plan \d+ shifts$/);
        await heading(/Shifts/i);
        const { body } = await admin.get('/api/on-call-schedules?rotation=Network');
        expect(body.total).toBeGreaterThanOrEqual(12);
      },
    );
    itTakes(
      'swapping a shift',
      3,
      async () => {
        const ann = (await admin.get('/api/people?fullName=Ann One')).body.data[0];
        const startTime = new Date(Date.now() + 86_400_000).toISOString();
        const endTime = new Date(Date.now() + 2 * 86_400_000).toISOString();
        const shift = await admin.make('/api/on-call-schedules', {
          name: 'Night',
          personId: ann.id,
          startTime,
          endTime,
        });
        return `/on-call-schedules/${shift.id}`;
      },
      async () => {
        await use('link', 'Swap or cover');
        await form(/Swap or cover/);
        await pick('Ben', 'Ben Two');
        await use('button', 'Swap or cover');
        await opened.page
          .getByText(/Done|done/)
          .first()
          .waitFor();
        const { data } = (await admin.get('/api/on-call-schedules?name=Night&expand=person')).body;
        expect(data.map((one: { person: { name: string } }) => one.person.name)).toContain('Ben Two');
      },
    );
    itTakes(
      'subscribing a calendar, with Copy',
      3,
      () => Promise.resolve('/on-call'),
      async () => {
        await use('link', 'Subscribe to a calendar');
        await use('button', 'Create');
        await opened.page.getByText('Store it now.').waitFor();
        await use('button', 'Copy');
        await opened.page.getByText('Copied').first().waitFor();
      },
    );
  });

  describe('operations', () => {
    beforeAll(async () => {
      for (const name of ['db-11', 'db-12', 'db-13']) await admin.make('/api/devices', { name });
    });
    const systems = async (): Promise<void> => {
      await tabTo('Systems');
      for (const name of ['db-11', 'db-12', 'db-13']) await pick(name);
    };
    itTakes(
      'an incident with three systems',
      6,
      () => Promise.resolve('/incidents'),
      async () => {
        // What was issued before is stored.
        await use('link', 'New incident');
        await form(/^Create/);
        await opened.page.keyboard.type('Databases are slow');
        await systems();
        await use('button', 'Create');
        await heading('Databases are slow');
        const [incident] = (await admin.get('/api/incidents?name=Databases are slow')).body.data;
        expect((await admin.get(`/api/incidents/${incident.id}/targets`)).body.total).toBe(3);
      },
    );
    itTakes(
      'an update of an incident',
      2,
      async () => {
        const [incident] = (await admin.get('/api/incidents?name=Databases are slow')).body.data;
        return `/incidents/${incident.id}`;
      },
      async () => {
        await hand.enter(opened.page.getByLabel('New update'));
        await opened.page.keyboard.type('A disk is full');
        await use('button', 'Post');
        await opened.page.locator('.timeline').getByText('A disk is full').waitFor();
      },
    );
    itTakes(
      'a window with its systems, and its conflicts',
      6,
      () => Promise.resolve('/maintenance-windows'),
      async () => {
        const { page } = opened;
        await admin.make('/api/maintenance-windows', {
          name: 'Other',
          startTime: '2031-01-06T08:00:00Z',
          endTime: '2031-01-06T12:00:00Z',
        });
        const [other] = (await admin.get('/api/maintenance-windows?name=Other')).body.data;
        const [device] = (await admin.get('/api/devices?name=db-12')).body.data;
        await admin.make(`/api/maintenance-windows/${other.id}/targets`, { resource: 'devices', recordId: device.id });
        // Its own change, and one that does not end within the window.
        for (const [name, scheduledFor] of [
          ['Own change', '2031-01-06T09:00:00Z'],
          ['Late change', '2031-01-06T09:30:00Z'],
        ]) {
          const { id } = await admin.make('/api/change-requests', { name, scheduledFor });
          await admin.make(`/api/change-requests/${id}/targets`, { resource: 'devices', recordId: device.id });
        }
        await use('link', 'New maintenance window');
        await form(/^Create/);
        await page.keyboard.type('Patching');
        await hand.time(page.getByLabel('Start time'), '2031-01-06T09:00');
        await hand.time(page.getByLabel('End time'), '2031-01-06T10:00');
        await systems();
        await use('button', 'Create');
        await heading('Patching');
        const conflicts = page.getByRole('region', { name: 'Conflicts', exact: true });
        for (const name of ['Other', 'Late change']) await conflicts.getByRole('link', { name }).waitFor();
        await page
          .getByRole('region', { name: 'Changes in this window' })
          .getByRole('link', { name: 'Own change' })
          .waitFor();
        expect(await conflicts.getByRole('link', { name: 'Own change' }).count()).toBe(0);
      },
    );
    const change = async (name: string): Promise<string> => {
      const { id } = await admin.make('/api/change-requests', { name, status: 'submitted' });
      const [device] = (await admin.get('/api/devices?name=db-11')).body.data;
      await admin.make(`/api/change-requests/${id}/targets`, { resource: 'devices', recordId: device.id });
      return `/change-requests/${id}`;
    };
    itTakes(
      'approving a change',
      2,
      () => change('New firmware'),
      async () => {
        await use('button', 'Approve');
        await opened.page.getByRole('dialog').getByText('db-11').waitFor();
        await hand.use(opened.page.getByRole('dialog').getByRole('button', { name: 'Approve' }));
        await said('New firmware approved');
        expect((await admin.get('/api/change-requests?name=New firmware')).body.data[0].status).toBe('approved');
      },
    );
    itTakes(
      'rejecting a change',
      2,
      () => change('Old firmware'),
      async () => {
        await use('button', 'Reject');
        await opened.page.getByRole('dialog').getByText('db-11').waitFor();
        await hand.use(opened.page.getByRole('dialog').getByRole('button', { name: 'Reject' }));
        await said('Old firmware rejected');
        expect((await admin.get('/api/change-requests?name=Old firmware')).body.data[0].status).toBe('rejected');
      },
    );
  });

  describe('second thoughts', () => {
    const changed = async (): Promise<string> => {
      const { id } = await admin.make('/api/sites', { name: 'Fickle', facility: 'first' });
      await admin.patch(`/api/sites/${id}`, { facility: 'second' });
      return `/sites/${id}`;
    };
    const facility = async (): Promise<string> =>
      (await admin.get('/api/sites?name=Fickle&sort=createdAt&order=desc')).body.data[0].facility;
    itTakes('undoing the last change', 2, changed, async () => {
      await use('link', 'History');
      await use('button', 'Undo');
      await said('The last change is undone');
      expect(await facility()).toBe('first');
    });
    itTakes('bringing back what the slider shows', 2, changed, async () => {
      await hand.slide(opened.page.getByLabel('Through time'));
      await use('button', 'Bring this back');
      await said('Brought back');
      expect(await facility()).toBe('first');
    });
    itTakes(
      'deleting a record, and undoing that in the note',
      3,
      async () => `/vendors/${(await admin.make('/api/vendors', { name: 'Brief Ltd' })).id}`,
      async () => {
        await use('button', 'Delete');
        await hand.use(opened.page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
        await said('Brief Ltd deleted');
        await heading('Vendors');
        await hand.use(opened.page.locator('.toasts').getByRole('button', { name: 'Undo' }).last());
        await heading('Brief Ltd');
        expect((await admin.get('/api/vendors?name=Brief Ltd')).body.total).toBe(1);
      },
    );
    itTakes(
      'restoring a deleted record from its list',
      2,
      async () => {
        const { id } = await admin.make('/api/vendors', { name: 'Gone Ltd' });
        await admin.delete(`/api/vendors/${id}`);
        return '/vendors';
      },
      async () => {
        await use('link', 'Deleted');
        await use('button', 'Restore Gone Ltd');
        await heading('Gone Ltd');
        expect((await admin.get('/api/vendors?name=Gone Ltd')).body.total).toBe(1);
      },
    );
  });

  describe("what is one's own", () => {
    itTakes(
      'sending a delivery again',
      2,
      async () => {
        const url = 'https://hooks.example.com/again';
        const { id } = await admin.make('/api/webhooks', { name: 'Failing', url, resources: ['vendors'] });
        await admin.post(`/api/webhooks/${id}/test`, {});
        return `/webhooks/${id}`;
      },
      async () => {
        await use('link', 'Deliveries');
        await use('button', 'Send again');
        // The service reports that a test delivery cannot be repeated.
        await said(/belongs to a test/);
      },
    );
    itTakes(
      'password, sessions, tokens, feeds, webhooks and users are in one menu',
      2,
      () => Promise.resolve(''),
      async () => {
        const { page } = opened;
        await hand.use(page.locator('.user summary'));
        const sheet = page.locator('.user .sheet');
        for (const name of ['Tokens', 'Calendar feeds', 'Webhooks', 'Profiles'])
          await sheet.getByRole('link', { name }).waitFor();
        await sheet.getByLabel('Theme').waitFor();
        await hand.use(sheet.getByRole('link', { name: 'Your account' }));
        await page.getByRole('heading', { name: 'Change your password' }).waitFor();
        await page.getByRole('heading', { name: 'Your sessions' }).waitFor();
      },
    );
  });
}
