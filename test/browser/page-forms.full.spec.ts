import { itInBrowser } from '../support/browser.js';
import { admin, opened, usePage } from '../support/page.js';

/* The fields of a form, their help, and their layout. */
let deviceId: string;
usePage({ locale: 'en-GB', timezoneId: 'Europe/Amsterdam' }, async () => {
  deviceId = (await admin.make('/api/devices', { name: 'forms-1' })).id;
});

const labels = async (): Promise<string[]> =>
  (await opened.page.locator('.form .control > label').allInnerTexts()).map((text) =>
    text.replace(/ \*.*/s, '').trim(),
  );

itInBrowser('asks for the fields of the kind of a port, and for no others', async () => {
  const { page, show, complaints } = opened;
  await show(`/devices/${deviceId}/ports/new`);
  const ofAll = ['Name', 'Kind', 'Label', 'Type', 'Enabled', 'For management only', 'Description'];
  expect((await labels()).toSorted()).toEqual(
    [...ofAll, 'MAC address', 'MTU', 'Speed (Mbit/s)', 'Parent', 'Lag', 'Mode', 'Untagged VLAN', 'VRF'].toSorted(),
  );
  await page.getByLabel('MTU').fill('1500');
  await page.getByLabel('Kind').selectOption('front');
  expect((await labels()).toSorted()).toEqual([...ofAll, 'Rear port', 'Rear position'].toSorted());
  expect(await page.locator('label', { hasText: 'Rear port' }).innerText()).toMatch(/needed/);
  await page.getByLabel('Kind').selectOption('rear');
  await page.getByLabel('Name').fill('back');
  await page.getByLabel('Positions').fill('12');
  // The form does not send values that were entered for the other kind.
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('created').first().waitFor();
  const { data } = (await admin.get(`/api/device-ports?deviceId=${deviceId}`)).body;
  expect(data).toMatchObject([{ name: 'back', kind: 'rear', positions: 12, mtu: null }]);
  await show(`/devices/${deviceId}/ports/${data[0].id}/edit`);
  expect((await labels()).toSorted()).toEqual([...ofAll.filter((one) => one !== 'Kind'), 'Positions'].toSorted());
  expect(complaints).toEqual([]);
});

itInBrowser('folds its help, which a click on ? and F1 show', async () => {
  const { page, show } = opened;
  await show('/devices/new');
  const input = page.getByLabel('Unit', { exact: true });
  const help = page.getByText('Lowest rack unit that it takes, counted from 1 at the bottom');
  expect(await help.isVisible()).toBe(false);
  // Screen readers read the help even while it is hidden.
  expect(await input.getAttribute('aria-describedby')).toBe(await help.getAttribute('id'));
  await input.press('F1');
  await help.waitFor();
  await page.locator('.control', { has: input }).locator('.help').click();
  await help.waitFor({ state: 'hidden' });
});

itInBrowser('has two columns from 1,100 pixels', async () => {
  const { page, show } = opened;
  await show('/assets/new');
  const lefts = async (): Promise<number> => {
    const boxes = await page.locator('.form .section').first().locator('.control').all();
    return new Set(await Promise.all(boxes.map(async (one) => (await one.boundingBox())!.x))).size;
  };
  await page.setViewportSize({ width: 1100, height: 900 });
  expect(await lefts()).toBe(2);
  await page.setViewportSize({ width: 1099, height: 900 });
  expect(await lefts()).toBe(1);
  // Beside the form of a device is its rack, so the columns need more.
  await show('/devices/new');
  for (const [width, columns] of [
    [1100, 1],
    [1320, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await lefts()]).toEqual([width, columns]);
    await page.getByText('Choose a rack to see its free units.').waitFor();
  }
});

itInBrowser('shows each input that gets the focus, above its bar', async () => {
  const { page, show } = opened;
  for (const size of [
    { width: 390, height: 560 },
    { width: 1440, height: 600 },
  ]) {
    await page.setViewportSize(size);
    await show('/sites');
    await show('/devices/new');
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let at = 0; at < 16; at++) {
        await page.keyboard.press(key);
        const hidden = await page.evaluate(() => {
          const focused = document.activeElement!;
          const [own, bar, top] = [focused, document.querySelector('.submit')!, document.querySelector('.top')!].map(
            (one) => one.getBoundingClientRect(),
          );
          const isBeside = focused.closest('.submit, .top, .side, .skip') !== null || focused === document.body;
          return !isBeside && (own!.bottom > bar!.top || own!.top < top!.bottom) ? focused.id || focused.outerHTML : '';
        });
        expect([size.width, key, at, hidden]).toEqual([size.width, key, at, '']);
      }
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});
