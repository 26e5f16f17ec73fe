import { axeFindings } from '../support/axe.js';
import { itInBrowser } from '../support/browser.js';
import { admin, opened, usePage } from '../support/page.js';

/* Webhooks and tokens, whose forms are made of choices. */
usePage({ locale: 'en-GB' });

const chip = async (label: string, text: string): Promise<void> => {
  await opened.page.getByLabel(label, { exact: true }).fill(text);
  await opened.page.getByLabel(label, { exact: true }).press('Enter');
};

itInBrowser('makes a webhook of choices, and says it as a sentence', async () => {
  const { page, show, complaints } = opened;
  await show('/webhooks/new');
  await page.getByLabel('Name').first().fill('Resolved incidents');
  await page.getByLabel('URL').fill('https://hooks.example.com/resolved');
  const sentence = page.locator('.sentence');
  expect(await sentence.innerText()).toBe('Sends when any record is created, changed or deleted.');
  await chip('Sends when', 'incidents');
  await page.getByLabel('Changed', { exact: true }).check();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  const condition = page.getByRole('group', { name: 'Condition 1' });
  expect(await condition.getByLabel('Field').inputValue()).toBe('status');
  await condition.getByLabel('Value').selectOption('resolved');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  const second = page.getByRole('group', { name: 'Condition 2' });
  await second.getByLabel('When').selectOption('was');
  await second.getByLabel('Value').selectOption('open');
  expect(await sentence.innerText()).toBe(
    'Sends when an incident is changed, and its status becomes Resolved and its status was Open.',
  );
  expect(await axeFindings(page, 'main')).toEqual([]);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: /created/ }).waitFor();
  const { data } = (await admin.get('/api/webhooks?name=Resolved incidents')).body;
  expect(data).toMatchObject([
    {
      resources: ['incidents'],
      actions: ['update'],
      fields: ['status'],
      where: { before: { status: 'open' }, after: { status: 'resolved' } },
    },
  ]);
  page.on('dialog', (dialog) => void dialog.accept());
  await show(`/webhooks/${data[0].id}`);
  await page
    .getByText('Sends when an incident is changed, and its status was Open and its status becomes Resolved.')
    .waitFor();
  const fields = await page.getByRole('region', { name: 'Fields' }).locator('dt').allInnerTexts();
  expect(fields.filter((label) => /^(?:Resources|Actions|Fields|Where)$/i.test(label))).toEqual([]);
  // The form shows the same, and changes it.
  await show(`/webhooks/${data[0].id}/edit`);
  // The condition says that the status must have changed.
  expect(await page.getByRole('button', { name: 'Remove Status' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Remove condition 1' }).click();
  await page.getByRole('group', { name: 'Condition 1' }).getByLabel('When').selectOption('is');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Sends when an incident is changed, and its status is Resolved.').waitFor();
  const { body } = await admin.get(`/api/webhooks/${data[0].id}`);
  expect(body.data).toMatchObject({ fields: [], where: { after: { status: 'resolved' } } });
  expect(body.data.where.before).toBeUndefined();
  expect(complaints).toEqual([]);
});

itInBrowser('shows the networks of a token as chips', async () => {
  const { page, show } = opened;
  await show('/tokens/new');
  await page.getByLabel('Name').first().fill('From the office');
  await chip('Allowed networks', '10.0.0.0/8');
  await chip('Allowed networks', '192.168.0.0/16');
  await page.getByRole('button', { name: 'Remove 10.0.0.0/8' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: /created/ }).waitFor();
  expect((await admin.get('/api/tokens?name=From the office')).body.data).toMatchObject([
    { allowedNetworks: ['192.168.0.0/16'] },
  ]);
});
