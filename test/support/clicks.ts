import type { Page } from 'playwright-core';

/**
 * Counts the clicks in a page. A click by the keyboard on a focused button counts too; clicks of scripts do not.
 * @returns a function that returns the number of clicks since its last call
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
