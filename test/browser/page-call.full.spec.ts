import { itInBrowser } from '../support/browser.js';
import { faultsOfLayout } from '../support/layout.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* A record shows who is responsible for it, what covers it, and whom to call. */
usePage();

itInBrowser('Today leads with what is worst, and says nothing of hours where there are no rosters', async () => {
  const { page, show } = opened;
  await admin.make('/api/sites', { name: 'Depot' });
  const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
  for (const [name, severity, hours] of [
    ['Printer is out', 'sev4', 90],
    ['Mail is slow', 'sev2', 1],
    ['Nobody has looked', null, 0],
    ['Power is gone', 'sev1', 2],
    ['Internet is gone', 'sev1', 5],
  ] as const)
    await admin.make('/api/incidents', { name, severity, detectedAt: ago(hours) });
  await show('/sites');
  await show('');
  const open = page.getByRole('region', { name: 'Open incidents' });
  await open.getByText('Printer is out').waitFor();
  expect(await open.locator('.main').allInnerTexts()).toEqual([
    'Internet is gone',
    'Power is gone',
    'Mail is slow',
    'Printer is out',
    'Nobody has looked',
  ]);
  const quiet = page.getByLabel('No action needed');
  await quiet.getByText('Nobody is on a roster').waitFor();
  expect(await quiet.getByText('Somebody is on call').count()).toBe(0);
});

itInBrowser('who is on call is a card for each roster, with the weeks ahead below', async () => {
  const { page, show, complaints } = opened;
  const now = await admin.make('/api/people', { fullName: 'Dorothy Vaughan', phone: '+31 20 5556667' });
  const next = await admin.make('/api/people', { fullName: 'Mary Jackson' });
  const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
  const shift = { name: 'Storage week', rotation: 'Storage' };
  await admin.make('/api/on-call-schedules', {
    ...shift,
    ...{ personId: now.id, startTime: inHours(-5), endTime: inHours(5) },
  });
  await admin.make('/api/on-call-schedules', {
    ...shift,
    ...{ personId: next.id, startTime: inHours(5), endTime: inHours(90) },
  });
  await show('/on-call');
  const card = page.getByRole('region', { name: 'Storage', exact: true });
  await card.getByText('Dorothy Vaughan').waitFor();
  expect(await card.getByRole('link', { name: '+31 20 5556667' }).getAttribute('href')).toBe('tel:+31205556667');
  expect(await card.innerText()).toMatch(/^Storage\s+Dorothy Vaughan \+31 20 5556667\s+until .+\s+Then Mary Jackson$/);
  await page
    .locator('.drawn')
    .getByRole('link', { name: /Mary Jackson/ })
    .waitFor();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await page.evaluate(faultsOfLayout)]).toEqual([width, []]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  // With a choice of columns, the list is a table.
  await show('/on-call?columns=roster,endTime');
  await page.getByRole('cell', { name: 'Storage', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('shows who is on call of a rack, with the phone, and the runbook of a device in it', async () => {
  const { page, show } = opened;
  const rack = await admin.make('/api/racks', { name: 'A1' });
  const device = await admin.make('/api/devices', { name: 'core', rackId: rack.id, serialNumber: 'FCW-1' });
  const person = await admin.make('/api/people', { fullName: 'Ada Lovelace', phone: '+31 20 1234567' });
  await admin.make('/api/on-call-schedules', { name: 'all', rotation: 'Network', personId: person.id });
  await admin.make(`/api/racks/${rack.id}/responsibilities`, { roster: 'Network' });
  const runbook = await admin.make('/api/runbooks', { name: 'Reload it' });
  await admin.make(`/api/runbooks/${runbook.id}/targets`, { resource: 'racks', recordId: rack.id });
  const vendor = await admin.make('/api/vendors', { name: 'Northwind', phone: '+31 20 7654321' });
  const contract = await admin.make('/api/contracts', { name: 'Gold support', vendorId: vendor.id });
  await admin.make(`/api/contracts/${contract.id}/coverage`, { resource: 'devices', recordId: device.id });
  await show(`/devices/${device.id}`);
  const call = page.getByRole('region', { name: 'Whom to call' });
  await call.getByRole('link', { name: '+31 20 1234567' }).waitFor();
  expect(await call.getByRole('listitem').count()).toBe(3);
  expect(await call.getByRole('link', { name: '+31 20 7654321' }).getAttribute('href')).toBe('tel:+31207654321');
  await call.getByRole('link', { name: 'Reload it' }).waitFor();
  const responsible = page.getByRole('region', { name: 'Responsible', exact: true });
  expect(await responsible.getByRole('link', { name: '+31 20 1234567' }).getAttribute('href')).toBe('tel:+31201234567');
  await responsible.getByRole('link', { name: 'A1' }).waitFor();
  await page.getByRole('region', { name: 'Covered by' }).getByRole('link', { name: 'Gold support' }).waitFor();
  await call.getByText('Ada Lovelace +31 20 1234567').waitFor();
  expect(await page.evaluate(faultsOfLayout)).toEqual([]);
});

itInBrowser('shows nobody whom to call to those who may not know', async () => {
  const rack = await admin.make('/api/racks', { name: 'A2' });
  await admin.make(`/api/racks/${rack.id}/responsibilities`, { roster: 'Network' });
  const outsider = await service.as('viewer', ['network']);
  const { page, show } = await openPage(browser!, service, outsider.cookie);
  await show(`/racks/${rack.id}`);
  const responsible = page.getByRole('region', { name: 'Responsible', exact: true });
  await responsible.getByText('Network').waitFor();
  expect(await responsible.getByText('on call').count()).toBe(0);
  expect(await page.getByRole('region', { name: 'Whom to call' }).count()).toBe(0);
});

itInBrowser('shows what a panel of a rack shows in no tab again', async () => {
  const rack = await admin.make('/api/racks', { name: 'A3' });
  const { page, show } = opened;
  await show(`/racks/${rack.id}`);
  for (const name of ['Elevation', 'Whom to call']) await page.getByRole('region', { name, exact: true }).waitFor();
  const tabs = await page.getByRole('navigation', { name: 'Parts of the record' }).getByRole('link').allInnerTexts();
  expect(tabs).toEqual([
    'Details',
    'Responsibilities',
    'Responsible',
    'Coverage',
    'Impact',
    'Available units',
    'Utilisation',
    'Used by',
    'History',
  ]);
});

itInBrowser('an incident shows whom to call, what goes down and what is at stake beside its updates', async () => {
  const { page, show, complaints } = opened;
  const rack = await admin.make('/api/racks', { name: 'N1' });
  const device = await admin.make('/api/devices', { name: 'core-night', rackId: rack.id });
  for (const name of ['Ethernet1', 'Ethernet2', 'Ethernet3'])
    await admin.make('/api/device-ports', { deviceId: device.id, name });
  const person = await admin.make('/api/people', { fullName: 'Grace Hopper', phone: '+31 20 2223334' });
  await admin.make('/api/on-call-schedules', { name: 'nights', rotation: 'Nights', personId: person.id });
  await admin.make(`/api/racks/${rack.id}/responsibilities`, { roster: 'Nights' });
  await show('/incidents/new');
  // The default time of detection is now.
  expect(await page.getByLabel('Detected at').first().inputValue()).toMatch(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d\s[AP]M$/);
  await page.getByLabel('Name').first().fill('The rack is dark');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'The rack is dark' }).waitFor();
  const id = page.url().split('/').at(-1)!;
  const age = Date.now() - Date.parse((await admin.get(`/api/incidents/${id}`)).body.data.detectedAt);
  expect(age >= 0 && age < 600_000).toBe(true);
  await admin.make(`/api/incidents/${id}/targets`, { resource: 'racks', recordId: rack.id });
  const vendor = await admin.make('/api/vendors', { name: 'Night Repairs', phone: '+31 20 5556667' });
  const contract = await admin.make('/api/contracts', { name: 'Repairs', contractNumber: 'C-7', vendorId: vendor.id });
  const edge = await admin.make('/api/devices', { name: 'edge-night' });
  await admin.make(`/api/incidents/${id}/targets`, { resource: 'devices', recordId: edge.id });
  for (const [resource, recordId] of [
    ['racks', rack.id],
    ['devices', edge.id],
  ])
    await admin.make(`/api/contracts/${contract.id}/coverage`, { resource, recordId });
  await show('/incidents');
  await show(`/incidents/${id}`);
  const call = page.getByRole('region', { name: 'Whom to call' });
  expect(await call.getByRole('link', { name: '+31 20 2223334' }).getAttribute('href')).toBe('tel:+31202223334');
  // A vendor of several systems is called once.
  await call.getByRole('link', { name: '+31 20 5556667' }).waitFor();
  expect(await call.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringContaining('Grace Hopper'),
    expect.stringMatching(/^Night Repairs \+31 20 5556667\s+Vendor · C-7$/),
  ]);
  await page.getByRole('region', { name: 'Devices that go down' }).getByRole('link', { name: 'core-night' }).waitFor();
  // Ports are counted but not named.
  expect(await page.getByRole('region', { name: 'Goes down with it' }).getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Device ports\s+3$/),
  ]);
  for (const name of ['Coverage and replacement', 'Conflicts', 'Updates'])
    await page.getByRole('region', { name, exact: true }).waitFor();
  const tabs = await page.getByRole('navigation', { name: 'Parts of the record' }).getByRole('link').allInnerTexts();
  expect(tabs.filter((tab) => ['Card', 'Context'].includes(tab))).toEqual([]);
  const top = async (name: string): Promise<number> =>
    (await page.getByRole('region', { name, exact: true }).boundingBox())!.y;
  const window = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  try {
    for (const below of ['Updates', 'Fields', 'Conflicts'])
      expect([below, (await top('Whom to call')) < (await top(below))]).toEqual([below, true]);
    expect(await page.evaluate(faultsOfLayout)).toEqual([]);
    await show(`/devices/${device.id}`);
    await call.getByRole('link', { name: '+31 20 2223334' }).waitFor();
    expect((await top('Whom to call')) < (await top('Fields'))).toBe(true);
  } finally {
    await page.setViewportSize(window);
  }
  expect(complaints).toEqual([]);
});
