import type { Locator } from 'playwright-core';
import { itInBrowser } from '../support/browser.js';
import { faultsOfLayout } from '../support/layout.js';
import { admin, opened, usePage } from '../support/page.js';
import { until } from '../support/until.js';

/* Racks side by side, the place of a device in its rack, and moving a device. */
usePage({ viewport: { width: 1440, height: 900 } });

const make = async (path: string, body: object): Promise<string> => (await admin.make(`/api/${path}`, body)).id;

let site: string;
let rack: string;
const devices: Record<string, string> = {};
beforeAll(async () => {
  site = await make('sites', { name: 'Six halls' });
  const manufacturerId = await make('manufacturers', { name: 'Makers of racks' });
  const deviceTypeId = await make('device-types', { model: 'RX-2', manufacturerId, uHeight: 2 });
  const roles = [
    await make('device-roles', { name: 'Pale role', color: '#ffeb3b' }),
    await make('device-roles', { name: 'Dark role', color: '#111111' }),
  ];
  for (let at = 1; at <= 7; at++)
    await make('racks', { name: `R${at}`, siteId: site, units: at === 3 ? 12 : 20 }).then((id) => (rack ||= id));
  const placed = { siteId: site, rackId: rack, rackFace: 'front', deviceTypeId };
  for (const [name, rackPosition, role] of [
    ['low', 1, 0],
    ['middle', 5, 1],
    ['high', 8, 0],
  ] as const)
    devices[name] = await make('devices', {
      ...placed,
      ...{ name, rackPosition, deviceRoleId: roles[role], serialNumber: `SN-${name}` },
    });
});

const boxOf = async (one: Locator): Promise<{ x: number; y: number; width: number; height: number }> =>
  (await one.boundingBox())!;

itInBrowser('racks stand six to a row on one floor, below their names and the colours of their roles', async () => {
  const { page, show, complaints } = opened;
  await show(`/pictures/racks?siteId=${site}`);
  const drawings = page.locator('.row-of-racks svg.drawing');
  await drawings.nth(6).waitFor();
  const boxes = await Promise.all((await drawings.all()).map(boxOf));
  const floors = boxes.map(({ y, height }) => Math.round(y + height));
  // The third rack is lower and stands on the same floor.
  expect(new Set(floors.slice(0, 6)).size).toBe(1);
  expect(floors[6]).toBeGreaterThan(floors[5]!);
  expect(boxes[2]!.height).toBeLessThan(boxes[1]!.height);
  const names = page.locator('.row-of-racks figcaption');
  expect(await names.allInnerTexts()).toEqual(['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7']);
  for (const at of [0, 2]) expect((await boxOf(names.nth(at))).y).toBeLessThan(boxes[at]!.y);
  // The name stays visible while its rack scrolls.
  await page.evaluate(() => scrollTo(0, 400));
  expect((await boxOf(names.first())).y).toBeGreaterThanOrEqual(45);
  expect(await page.getByRole('list', { name: 'Roles' }).getByRole('listitem').allInnerTexts()).toEqual([
    'Dark role',
    'Pale role',
  ]);
  const inks = await page
    .locator('.mounted text')
    .evaluateAll((all) => all.map((one) => `${one.textContent} ${one.getAttribute('fill')}`));
  expect(inks.toSorted()).toEqual(['high #000', 'low #000', 'middle #fff']);
  expect(await page.locator('.mounted title').allTextContents()).toContain(
    'middle, 2 U from unit 5\nDark role, RX-2\nSerial number SN-middle',
  );
  expect(await page.evaluate(faultsOfLayout)).toEqual([]);
  expect(complaints).toEqual([]);
});

itInBrowser('a device shows its rack in small, with its own units lit', async () => {
  const { page, show } = opened;
  await show(`/devices/${devices.middle}`);
  const place = page.getByRole('region', { name: 'Place in the rack' });
  await place.getByRole('img', { name: 'Unit 5 of 20' }).waitFor();
  expect(await place.locator('rect:not(.frame)').count()).toBe(3);
  expect(await place.locator('rect.own').count()).toBe(1);
  expect(await place.locator('dd').allInnerTexts()).toEqual(['high', 'low']);
});

const positionOf = async (id: string): Promise<number> =>
  Number((await admin.get(`/api/devices/${id}`)).body.data.rackPosition);

itInBrowser('a device is dragged to a place that is free, and back with Undo', async () => {
  const { page, show, complaints } = opened;
  await show(`/racks/${rack}`);
  const device = page.getByRole('link', { name: /^middle, unit/ });
  const target = page.getByRole('link', { name: 'Add a device in unit 14' });
  const drag = async (to: Locator): Promise<void> => {
    const [from, onto] = [await boxOf(device.locator('rect')), await boxOf(to)];
    await page.mouse.move(from.x + 40, from.y + from.height - 5);
    await page.mouse.down();
    await page.mouse.move(onto.x + 40, onto.y + onto.height - 15, { steps: 8 });
    await page.mouse.move(onto.x + 40, onto.y + onto.height - 5);
    await page.mouse.up();
  };
  await drag(target);
  await page.getByText('middle moved to unit 14').waitFor();
  expect(await positionOf(devices.middle!)).toBe(14);
  // Dragging does not open the device.
  await page.getByRole('heading', { name: 'R1', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('link', { name: 'middle, unit 5' }).waitFor();
  expect(await positionOf(devices.middle!)).toBe(5);
  // A device cannot be dropped on another one.
  await drag(page.getByRole('link', { name: /^high, unit/ }).locator('rect'));
  expect(await positionOf(devices.middle!)).toBe(5);
  expect(complaints).toEqual([]);
});

itInBrowser('a device is moved with the keyboard, over what stands in the way', async () => {
  const { page, show } = opened;
  await show(`/racks/${rack}`);
  await page.getByRole('link', { name: 'middle, unit 5' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByRole('link', { name: 'middle, unit 6' }).waitFor();
  await page.keyboard.press('Alt+ArrowUp');
  // Units 8 and 9 are taken.
  await page.getByRole('link', { name: 'middle, unit 10' }).waitFor();
  await until(async () => (await positionOf(devices.middle!)) === 10);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('middle, unit 10');
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('link', { name: 'middle, unit 6' }).waitFor();
});

itInBrowser('a free unit of the chosen rack is clicked beside the form of a new device', async () => {
  const { page, show, complaints } = opened;
  const own = await make('racks', { name: 'Chosen', siteId: site, units: 20 });
  const { deviceTypeId } = (await admin.get(`/api/devices/${devices.low}`)).body.data;
  await make('devices', { name: 'there', rackId: own, rackPosition: 5, rackFace: 'front', deviceTypeId });
  await page.setViewportSize({ width: 1440, height: 900 });
  await show('/devices/new');
  const beside = page.getByRole('complementary', { name: 'Beside the form' });
  await beside.getByText('Choose a rack to see its free units.').waitFor();
  await show('');
  await show(`/devices/new?rackId=${own}&siteId=${site}`);
  await beside.getByRole('button', { name: 'Unit 12' }).click();
  expect(await page.getByLabel('Unit', { exact: true }).inputValue()).toBe('12');
  expect(await page.getByLabel('Face', { exact: true }).and(page.locator('select')).inputValue()).toBe('front');
  await beside.getByText('Takes 1 U from unit 12.').waitFor();
  // The height of the type is taken into account: unit 5 has a device.
  await page.getByRole('combobox', { name: 'Type', exact: true }).fill('RX-2');
  await page.getByRole('option', { name: 'RX-2' }).click();
  await beside.getByText('Takes 2 U from unit 12.').waitFor();
  expect(await beside.getByRole('button', { pressed: true, name: 'Unit' }).count()).toBe(2);
  await beside.getByRole('button', { name: 'Unit 4' }).click();
  await beside.getByText('No room for 2 U from unit 4.').waitFor();
  // By keyboard too, on the other face.
  await beside.getByRole('button', { name: 'Rear' }).click();
  await page.getByRole('group', { name: 'Chosen, rear, 20 units' }).waitFor();
  await beside.getByRole('button', { name: 'Unit 20' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await page.getByLabel('Face', { exact: true }).and(page.locator('select')).inputValue()).toBe('rear');
  expect(await page.getByLabel('Unit', { exact: true }).inputValue()).toBe('19');
  expect(await page.evaluate(faultsOfLayout)).toEqual([]);
  await page.setViewportSize({ width: 1000, height: 900 });
  await beside.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1440, height: 900 });
  page.once('dialog', (dialog) => void dialog.accept());
  await show('');
  expect(complaints).toEqual([]);
});
