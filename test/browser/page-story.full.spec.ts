import type { Browser, Locator, Page } from 'playwright-core';
import { makeFirstAdministrator } from '../../src/app/startup/first-administrator.js';
import { loadCatalogue } from '../../src/app/startup/load-catalogue.js';
import { startService, type TestService } from '../support/app.js';
import { hasBrowser, itInBrowser, launchBrowser } from '../support/browser.js';
import { openPage } from '../support/page.js';

/* The story of docs/tutorial.md in the page at `/`, on an empty service, by clicking and typing only. */

const email = 'admin@example.com';
const password = 'a-password-that-npm-start-printed';

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  if (!hasBrowser) return;
  service = await startService();
  const { db } = service.database;
  await makeFirstAdministrator(db, { adminEmail: email, adminPassword: password });
  await loadCatalogue(db);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** A person who uses the page. */
class Clerk {
  constructor(readonly page: Page) {}

  heading = (name: string): Promise<void> => this.page.getByRole('heading', { name, level: 1, exact: true }).waitFor();

  async list(label: string): Promise<void> {
    const navigation = this.page.locator('nav.side');
    const link = navigation.getByRole('link', { name: label, exact: true });
    if ((await link.count()) === 0) {
      const own = this.page.locator('a').getByText(label, { exact: true });
      await navigation.locator('.groups > li', { has: own }).locator('a.destination').click();
    }
    await link.last().click();
    await this.heading(label);
  }

  async open(label: string, name: string): Promise<void> {
    await this.list(label);
    await this.page.locator('main tbody').getByRole('link', { name, exact: true }).click();
    await this.heading(name);
  }

  link = (name: string): Promise<void> => this.page.locator('main').getByRole('link', { name, exact: true }).click();

  async enter(values: Record<string, string>, within: Locator = this.page.locator('main form.form')): Promise<void> {
    for (const [label, value] of Object.entries(values)) {
      const control = within.getByLabel(new RegExp(`^${label}(?: \\* \\(needed\\))?$`)).first();
      const kind = (await control.getAttribute('role')) ?? (await control.evaluate(({ tagName }) => tagName));
      if (kind === 'SELECT') await control.selectOption(value);
      else await control.fill(value);
      // The name is followed by a text that distinguishes records of the same name.
      if (kind === 'combobox') await within.getByRole('option').filter({ hasText: value }).first().click();
    }
  }

  async save(button: string): Promise<void> {
    const { page } = this;
    await page.locator('main form.form').getByRole('button', { name: button, exact: true }).click();
    await page.locator('main form.form').waitFor({ state: 'detached' });
  }

  async create(values: Record<string, string>): Promise<void> {
    await this.page.locator('main .tools a', { hasText: /^New / }).click();
    await this.enter(values);
    await this.save('Create');
    await this.heading(Object.values(values)[0]!);
  }

  async make(list: string, values: Record<string, string>): Promise<void> {
    await this.list(list);
    await this.create(values);
  }

  /** The value of a field of the record that is shown. The heading has the status. */
  async field(label: string): Promise<string> {
    if (label === 'Status') return this.page.locator('main .title .state').innerText();
    const entries = this.page.locator('main :is(.fields, .facts) > div');
    const entry = entries.filter({ has: this.page.getByText(label, { exact: true }) }).first();
    return entry.locator('dd').innerText();
  }

  row = (index: number): Locator => this.page.getByRole('row', { name: `Items ${index}`, exact: true });
  /** A cell of the table for receiving units. */
  cell = (column: string, unit: number, item: string): Locator =>
    this.page.getByLabel(`${column} of unit ${unit} of ${item}`, { exact: true });
}

itInBrowser(
  'tells the story of the tutorial from log-in to a received order, a covered shift and a restored record',
  async () => {
    const { page, complaints } = await openPage(browser, service, undefined);
    const clerk = new Clerk(page);

    // Log in.
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await clerk.heading('Today');

    // Rack a switch.
    await clerk.make('Sites', { Name: 'Amsterdam DC1', 'Time zone': 'Europe/Amsterdam' });
    await clerk.make('Racks', { Name: 'A1', Units: '42', Site: 'Amsterdam DC1' });
    await clerk.list('Device types');
    await page.getByLabel('Search this list').fill('9300-48P');
    const type = page.locator('main tbody a.name', { hasText: /9300-48P$/i });
    await type.waitFor();
    const model = await type.innerText();
    await clerk.make('Devices', {
      Name: 'ams-sw-01',
      Type: model,
      Role: 'Access Switch',
      Site: 'Amsterdam DC1',
      Rack: 'A1',
      Unit: '40',
      Face: 'Front',
    });
    await clerk.link('Ports');
    await page.getByRole('region', { name: 'Ports', exact: true }).getByRole('link', { name: 'Add' }).click();
    await clerk.enter({ Name: 'GigabitEthernet1/0/1', 'Speed \\(Mbit/s\\)': '1000' });
    await clerk.save('Create');
    await page.locator('main tbody').getByText('GigabitEthernet1/0/1').waitFor();

    // Order spares, and receive them in two deliveries.
    await clerk.make('Vendors', { Name: 'Northwind Networks' });
    await clerk.list('Purchase orders');
    await page.locator('main .tools a', { hasText: /^New / }).click();
    await clerk.enter({
      'Order number': 'PO-2026-0001',
      Vendor: 'Northwind Networks',
      Site: 'Amsterdam DC1',
      Currency: 'EUR',
    });
    await clerk.enter({ Name: 'SFP+ transceiver', Quantity: '2', 'Unit price': '64.00' }, clerk.row(1));
    await clerk.enter({ Name: '715 W power supply', Quantity: '1', 'Unit price': '389.50' }, clerk.row(2));
    await clerk.save('Create');
    await clerk.heading('PO-2026-0001');
    expect([await clerk.field('Status'), await clerk.field('Total price')]).toEqual(['Ordered', '517.50 EUR']);
    await clerk.link('Receive');
    await clerk.cell('Serial number', 1, 'SFP+ transceiver').fill('OP-1');
    await clerk.cell('Serial number', 2, 'SFP+ transceiver').fill('OP-2');
    await page.getByRole('group', { name: '715 W power supply' }).getByLabel('Units received').fill('0');
    await page.locator('main form.form .primary').click();
    await clerk.heading('PO-2026-0001');
    expect(await clerk.field('Status')).toBe('Partially received');
    await clerk.link('Receive');
    await clerk.cell('Serial number', 1, '715 W power supply').fill('PS-1');
    await clerk.cell('Asset tag', 1, '715 W power supply').fill('AT-00001');
    await page.locator('main form.form .primary').click();
    await clerk.heading('PO-2026-0001');
    expect(await clerk.field('Status')).toBe('Received');
    await clerk.open('Assets', '715 W power supply');
    expect(await clerk.field('Serial number')).toBe('PS-1');

    // Put somebody on call, and cover the shift.
    await clerk.make('People', { 'Full name': 'Ada Lovelace', Email: 'ada@example.com', Site: 'Amsterdam DC1' });
    await clerk.make('People', { 'Full name': 'Grace Hopper' });
    await clerk.make('On-call schedules', {
      Name: 'Ada Lovelace, first line',
      'Start time': '2026-01-05T08:00',
      Person: 'Ada Lovelace',
      Rotation: 'Network',
    });
    await clerk.list('Today');
    const onCall = page.getByRole('region', { name: 'On call' });
    await onCall.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await clerk.open('On-call schedules', 'Ada Lovelace, first line');
    await clerk.link('Swap or cover');
    await clerk.enter({ Person: 'Grace Hopper' });
    await page.locator('main form.form .primary').click();
    await clerk.link('Continue');
    await clerk.list('Today');
    await onCall.getByRole('link', { name: 'Grace Hopper' }).waitFor();

    // Open an incident, file the change, resolve the incident.
    await clerk.make('Incidents', {
      Name: 'ams-sw-01 loses a power supply',
      Severity: 'sev2',
      'Assigned to': 'Ada Lovelace',
    });
    await clerk.link('Systems');
    await page.locator('main .tools a', { hasText: /^New / }).click();
    await clerk.enter({ 'Type of record': 'Devices', Record: 'ams-sw-01' });
    await clerk.save('Create');
    await clerk.make('Change requests', {
      Name: 'Replace the power supply',
      Risk: 'low',
      'Requested by': 'Ada Lovelace',
      Status: 'approved',
    });
    await clerk.link('Edit');
    await clerk.enter({ Status: 'completed' });
    await clerk.save('Save');
    expect(await clerk.field('Status')).toBe('Completed');
    await clerk.link('History');
    await page.locator('.history del', { hasText: 'approved' }).waitFor();

    // Allocate addresses: the prefix counts them.
    await clerk.make('Prefixes', { Prefix: '10.20.0.0/26', Site: 'Amsterdam DC1' });
    await page.locator('main .tools a', { hasText: /address/i }).click();
    await page.locator('main form.form .primary').click();
    await page
      .locator('main', { hasNot: page.locator('form.form') })
      .getByText('10.20.0.1/26')
      .first()
      .waitFor();

    // Delete a record by mistake, and restore it from Today.
    await clerk.open('People', 'Grace Hopper');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await clerk.heading('People');
    await clerk.list('Today');
    await page
      .locator('main li', { hasText: /deleted/ })
      .getByRole('link', { name: 'Grace Hopper' })
      .first()
      .click();
    await page.getByRole('button', { name: 'Restore it' }).click();
    await page.locator('main').getByRole('link', { name: 'Edit' }).first().waitFor();
    await clerk.heading('Grace Hopper');
    expect(complaints).toEqual([]);
  },
  300_000,
);
