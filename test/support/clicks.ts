import type { Page } from 'playwright-core';

/**
 * Counts the clicks that a page gets. A click by the keyboard, on a button that has the focus, counts too; clicks that scripts make do not.
 * @returns what tells the number of clicks since it was asked last
 */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  const read = (): Promise<number> =>
    page.evaluate(() => {
      const counted = window as never as { clicks?: number };
      if (counted.clicks === undefined)
        addEventListener('click', ({ isTrusted }) => (counted.clicks! += isTrusted ? 1 : 0), true);
      const before = counted.clicks ?? 0;
      counted.clicks = 0;
      return before;
    });
  await read();
  return read;
}
