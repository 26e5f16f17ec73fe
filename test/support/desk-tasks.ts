import { focusIn, form, hand, heading, itTakes, pick, said, tabTo, use, useHand } from './doing.js';
import type { Hand } from './hands.js';
import { admin, opened } from './page.js';

/* The tasks of the asset desk, with the maximum number of clicks. */

/** Each of these tasks, done with one kind of input. */
export function doDeskTasks(given: Hand): void {
  useHand(given);

  describe('somebody who leaves', () => {
    const leaver = async (fullName: string) => {
      const { id } = await admin.make('/api/people', { fullName });
      const asset = await admin.make('/api/assets', { name: `Laptop of ${fullName}` });
      await admin.post(`/api/assets/${asset.id}/assign`, { personId: id });
      const licence = await admin.make('/api/software-licences', { name: `Suite of ${fullName}`, seats: 5 });
      await admin.make(`/api/software-licences/${licence.id}/seats`, { personId: id });
      await admin.make('/api/runbooks', { name: `Runbook of ${fullName}`, ownerId: id });
      return { id, assetId: asset.id, licenceId: licence.id };
    };
    let one: Awaited<ReturnType<typeof leaver>>;
    itTakes(
      'letting somebody leave, with a successor',
      3,
      async () => {
        one = await leaver('Lea Vaught');
        await admin.make('/api/people', { fullName: 'Suki Next' });
        return `/people/${one.id}`;
      },
      async () => {
        const { page } = opened;
        await use('link', 'Let them leave');
        await form(/^Let Lea Vaught leave/);
        const happening = page.getByRole('region', { name: 'What will happen' });
        for (const name of ['Laptop of Lea Vaught', 'Suite of Lea Vaught', 'Runbook of Lea Vaught'])
          await happening.getByText(name, { exact: true }).waitFor();
        expect(await happening.getByLabel('Take back the assets').isChecked()).toBe(true);
        await happening.getByText('Left empty').waitFor();
        await pick('Suki', 'Suki Next');
        await happening.getByText('Handed over').waitFor();
        await use('button', 'Let Lea Vaught leave');
        await said('Lea Vaught has left: 4 records changed');
        await heading('Lea Vaught');
        expect((await admin.get(`/api/people/${one.id}`)).body.data).toMatchObject({
          status: 'inactive',
          assetCount: 0,
        });
        expect((await admin.get(`/api/software-licences/${one.licenceId}/seats`)).body.total).toBe(0);
        const [runbook] = (await admin.get('/api/runbooks?name=Runbook of Lea Vaught&expand=owner')).body.data;
        expect(runbook.owner.name).toBe('Suki Next');
      },
    );
  });

  describe('what is given and lent', () => {
    beforeAll(async () => {
      await admin.make('/api/people', { fullName: 'Ada Lovelace' });
      await admin.make('/api/software-licences', { name: 'Monitoring', seats: 2 });
      const category = await admin.make('/api/asset-categories', { name: 'Projector' });
      for (const name of ['Projector 1', 'Projector 2'])
        await admin.make('/api/assets', { name, categoryId: category.id, status: 'in_stock' });
    });
    const estate = (name: string) =>
      hand.use(opened.page.getByRole('navigation', { name: 'Estate' }).getByRole('link', { name, exact: true }));
    const assets = () => Promise.resolve('/assets');

    itTakes('handing out a seat, from Assets', 4, assets, async () => {
      await estate('Asset desk');
      await heading('Asset desk');
      await use('link', 'Hand out a seat');
      await focusIn('seat-licence');
      await pick('Monit', 'Monitoring');
      await opened.page.getByText('0 of 2 seats in use').waitFor();
      await focusIn('seat-holder');
      await pick('Ada', 'Ada Lovelace');
      await use('button', 'Hand out');
      await said('A seat of Monitoring handed out to Ada Lovelace');
      const [licence] = (await admin.get('/api/software-licences?name=Monitoring')).body.data;
      expect(licence.assignedSeats).toBe(1);
    });
    itTakes('booking a projector for Thursday, from Assets', 5, assets, async () => {
      const { page } = opened;
      // In a week at the latest, and not today.
      const thursday = new Date();
      thursday.setDate(thursday.getDate() + ((4 - thursday.getDay() + 7) % 7 || 7));
      await estate('Booking calendar');
      await focusIn('booking-category');
      await pick('Projector');
      const day = thursday.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
      await page.getByRole('button', { name: `Book Projector 2 on ${day}` }).waitFor();
      await hand.use(page.getByRole('button', { name: `Book Projector 2 on ${day}` }));
      await focusIn('booking-person');
      await pick('Ada', 'Ada Lovelace');
      await use('button', 'Book');
      await said('Projector 2 booked for');
      await page.getByRole('link', { name: /^Ada Lovelace, Projector 2, booked/ }).waitFor();
      await page.getByRole('button', { name: `Book Projector 2 on ${day}` }).waitFor({ state: 'detached' });
      const [booking] = (await admin.get('/api/bookings?expand=person,asset')).body.data;
      expect([booking.person.name, booking.asset.name]).toEqual(['Ada Lovelace', 'Projector 2']);
      expect(new Date(booking.startTime).getDay()).toBe(4);
    });
  });

  describe('what is counted, kept and reserved', () => {
    const estate = (name: string) =>
      hand.use(opened.page.getByRole('navigation', { name: 'Estate' }).getByRole('link', { name, exact: true }));
    const assets = () => Promise.resolve('/assets');
    let locationId: string;
    beforeAll(async () => {
      const site = await admin.make('/api/sites', { name: 'Depot' });
      locationId = (await admin.make('/api/locations', { name: 'Store room', siteId: site.id })).id;
      for (const tag of ['ST-1', 'ST-2', 'ST-3'])
        await admin.make('/api/assets', { name: `Stored ${tag}`, assetTag: tag, status: 'in_stock', locationId });
      const { id: stockItemId } = await admin.make('/api/stock-items', { name: 'Patch cable', sku: 'PC-2M' });
      await admin.make('/api/purchase-orders', {
        orderNumber: 'PO-500',
        items: [{ name: 'Patch cable, 2 m', quantity: 500, unitPrice: '1.20', stockItemId }],
        status: 'ordered',
        locationId,
      });
    });

    itTakes('counting a store room with a scanner, and closing the count, from Assets', 5, assets, async () => {
      const { page } = opened;
      await estate('Asset desk');
      await use('link', 'Count a place');
      await form(/^Create/);
      await page.keyboard.type('Store room, today');
      await tabTo('Location');
      await pick('Store');
      await use('button', 'Create');
      await heading('Store room, today');
      await page.waitForFunction(() => document.activeElement?.matches('.scanning input'));
      // A scanner types, and presses Enter.
      for (const code of ['ST-1', 'ST-2', 'ST-1', 'NOBODY-KNOWS']) {
        await page.keyboard.type(code);
        await page.keyboard.press('Enter');
      }
      const result = page.getByRole('region', { name: 'Result' });
      for (const name of ['2 Found', '1 Missing', '1 Unknown']) await result.getByRole('button', { name }).waitFor();
      await page.getByText('scanned 2 times, counts once').waitFor();
      await result.getByRole('link', { name: 'Stored ST-3' }).waitFor();
      await page.getByText('Every scan has arrived.').waitFor();
      await use('button', 'Close the stocktake');
      await page.getByRole('dialog').getByText('No asset is changed.').waitFor();
      await use('button', 'Close it');
      await said('Store room, today closed');
      await result.getByRole('link', { name: 'Print their labels' }).waitFor();
      const [stocktake] = (await admin.get('/api/stocktakes?name=Store room, today')).body.data;
      expect(stocktake.status).toBe('closed');
    });
    itTakes('receiving 500 cables into stock, from Assets', 4, assets, async () => {
      await estate('Purchase orders');
      await use('link', 'PO-500');
      await use('link', 'Receive into stock');
      await heading('Receive PO-500 into stock');
      await use('button', 'Receive 500');
      await said('500 received into stock');
      const [item] = (await admin.get('/api/stock-items?sku=PC-2M')).body.data;
      expect([item.onHand, item.value]).toEqual([
        500,
        [{ currency: expect.anything(), amount: expect.stringMatching(/^600/) }],
      ]);
    });
    itTakes('taking out 20 with one scan, from Assets', 3, assets, async () => {
      const { page } = opened;
      await estate('Asset desk');
      await use('link', 'Take out of stock');
      await focusIn('out-code');
      await hand.enter(page.getByLabel('Units of each scan'));
      await page.keyboard.press('Control+A');
      await page.keyboard.type('20');
      await page.keyboard.press('Tab');
      await page.keyboard.type('PC-2M');
      await page.keyboard.press('Enter');
      await said('20 of Patch cable taken out, 480 left there');
      expect((await admin.get('/api/stock-items?sku=PC-2M')).body.data[0].onHand).toBe(480);
    });
    itTakes(
      'reserving four units for a planned move, on the rack',
      4,
      async () => {
        await admin.make('/api/change-requests', { name: 'Move of the shelves', status: 'submitted' });
        return `/racks/${(await admin.make('/api/racks', { name: 'R4', units: 10 })).id}`;
      },
      async () => {
        const { page } = opened;
        await use('button', 'Reserve units');
        await hand.use(page.getByRole('button', { name: 'Unit 3', exact: true }));
        await hand.use(page.getByRole('button', { name: 'Unit 6', exact: true }));
        await page.getByText('Chosen: units 3, 4, 5, 6.').waitFor();
        await focusIn('reserved-for');
        await pick('Move', 'Move of the shelves');
        await use('button', 'Reserve 4 units');
        await said('4 units of R4 reserved');
        await page.getByRole('link', { name: 'Reserved, unit 4' }).waitFor();
        const [reservation] = (await admin.get('/api/rack-reservations')).body.data;
        const change = (await admin.get(`/api/change-requests/${reservation.changeRequestId}`)).body.data;
        expect([reservation.units, change.name]).toEqual([[3, 4, 5, 6], 'Move of the shelves']);
      },
    );
  });
}
