import { hasBrowser, itInBrowser } from './browser.js';
import { countClicks } from './clicks.js';
import type { Hand } from './hands.js';
import { opened, usePage } from './page.js';

/* The parts of task tests: an input device, and the number of clicks. */
export let hand: Hand;
export let clicks: () => Promise<number>;
const counted: Record<string, number> = {};

/** A task that begins at an address. @param most maximum number of clicks; a key that activates a button or link counts as one */
export const itTakes = (name: string, most: number, begin: () => Promise<string>, act: () => Promise<void>): void =>
  itInBrowser(`${name} takes ${most} ${most === 1 ? 'click' : 'clicks'} at most`, async () => {
    const address = await begin();
    await opened.show(address);
    await clicks();
    await act().catch(async (error: Error) => {
      const refusals = await opened.page.locator('main .failure').allInnerTexts();
      throw new Error(`${error.message}\n${refusals.join('\n')}`);
    });
    counted[name] = await clicks();
    expect(counted[name]).toBeLessThanOrEqual(most);
    expect(opened.complaints).toEqual([]);
  });

export const use = (role: 'button' | 'link' | 'radio', name: string | RegExp): Promise<void> =>
  hand.use(
    opened.page
      .locator('main, dialog')
      .getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) })
      .first(),
  );
/** Copies a text, and pastes it into the focused element. */
export const paste = async (text: string): Promise<void> => {
  await opened.page.evaluate((given) => navigator.clipboard.writeText(given), text);
  await opened.page.keyboard.press('Control+V');
};
export const heading = (name: string | RegExp): Promise<void> =>
  // The heading of a form also has the name of its record.
  opened.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
export const said = (text: string | RegExp): Promise<void> =>
  opened.page.locator('.toasts').getByText(text).first().waitFor();
/** Waits for a form, whose first input takes the focus. */
export const form = async (title: RegExp): Promise<void> => {
  await heading(title);
  await opened.page.waitForFunction(() => document.activeElement?.matches('input, textarea'));
};
/** Types into the focused input, and accepts the result. */
export const pick = async (text: string, found = text): Promise<void> => {
  await opened.page.keyboard.type(text);
  await opened.page.getByRole('option', { name: found }).first().waitFor();
  await opened.page.keyboard.press('Enter');
};
/** Goes on by Tab to the input with a label. */
export const tabTo = async (label: string): Promise<void> => {
  for (let turn = 0; turn < 30; turn++) {
    const isThere = await opened.page.evaluate((wanted) => {
      const { labels } = document.activeElement as HTMLInputElement;
      return [...(labels ?? [])].some((one) => one.textContent!.replace(/\s*\*.*$/, '').trim() === wanted);
    }, label);
    if (isThere) return;
    await opened.page.keyboard.press('Tab');
  }
  throw new Error(`There is no way to ${label} by Tab`);
};
export const focusIn = (id: string): Promise<unknown> =>
  opened.page.waitForFunction((wanted) => document.activeElement?.id === wanted, id);

/** Opens the page for tasks with one kind of input. */
export function useHand(given: Hand): void {
  usePage({ permissions: ['clipboard-read', 'clipboard-write'] });
  beforeAll(async () => {
    if (!hasBrowser) return;
    hand = given;
    // After a failed task, leaving a form does not ask for confirmation.
    opened.page.on('dialog', (dialog) => void dialog.accept());
    clicks = await countClicks(opened.page);
    await hand.begin();
  });
  afterAll(() => console.info(`Clicks: ${JSON.stringify(counted)}`));
}
