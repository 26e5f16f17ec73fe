import type { Page } from 'playwright-core';

/* Helpers for tests of planning in the page. */

export const button = (page: Page, name: string) =>
  page.locator('main, dialog').getByRole('button', { name, exact: true });
/** Waits for a message at the edge of the page. */
export const said = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).first().waitFor();
export const bar = (page: Page) => page.getByRole('complementary', { name: 'Open change set' });

/** Opens a change set for planning. @param address of its page */
export async function planIn(
  { page, show }: { page: Page; show: (address: string) => Promise<void> },
  address: string,
) {
  await show(address);
  await button(page, 'Plan in it').click();
  await bar(page).waitFor();
}
