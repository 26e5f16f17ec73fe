import type { Page } from 'playwright-core';

/**
 * Counts the clicks in a page. A click by the keyboard on a focused button counts too; clicks of scripts do not, nor
 * arrow keys that choose in a group.
 * @returns a function that returns the number of clicks since its last call
 */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  const read = (): Promise<number> =>
    page.evaluate(() => {
      const counted = window as never as { clicks?: number };
      if (counted.clicks === undefined) {
        let key = '';
        addEventListener('keydown', (event) => (key = event.key), true);
        addEventListener('pointerdown', () => (key = ''), true);
        addEventListener(
          'click',
          ({ isTrusted }) => (counted.clicks! += isTrusted && !key.startsWith('Arrow') ? 1 : 0),
          true,
        );
      }
      const before = counted.clicks ?? 0;
      counted.clicks = 0;
      return before;
    });
  await read();
  return read;
}
