import type { Locator } from 'playwright-core';
import { opened } from './page.js';

/** A way to use the page: mouse, keyboard or touch. Typing into the focused element is the same for all. */
export interface Hand {
  /** Is called once the page is open, and after each reload. */
  begin(): Promise<void>;
  /** Uses a button, a link, a box or a menu. */
  use(what: Locator): Promise<void>;
  /** Focuses an input. */
  enter(what: Locator): Promise<void>;
  /** Chooses an option of a select by its label. */
  choose(what: Locator, label: string): Promise<void>;
  /** Sets a slider to its start. */
  slide(what: Locator): Promise<void>;
  /** Gives an input a time of the reader's clock, such as `2031-01-06T09:00`. */
  time(what: Locator, time: string): Promise<void>;
}

export const mouse: Hand = {
  begin: () => Promise.resolve(),
  use: (what) => what.click(),
  enter: (what) => what.click(),
  async choose(what, label) {
    await what.selectOption({ label });
  },
  slide: (what) => what.click({ position: { x: 4, y: 4 } }),
  time: (what, time) => what.fill(time),
};

/** More Tab stops than any view of the tasks has. */
const MOST_STEPS = 400;
const press = (key: string): Promise<void> => opened.page.keyboard.press(key);

/**
 * The next key on the way to an element for a keyboard user: Tab or Shift+Tab, and arrows within a group with a single Tab stop.
 * @returns undefined once it has the focus
 */
const nextKey = (what: Locator): Promise<string | undefined> =>
  what.evaluate((target) => {
    const now = document.activeElement!;
    if (now === target) return undefined;
    const isRadio = (one: Element): boolean => one.matches('[type=radio]');
    if (isRadio(now) && isRadio(target))
      return now.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING ? 'ArrowUp' : 'ArrowDown';
    const group = target.closest('svg');
    if (group?.contains(now) && (target as SVGElement).tabIndex < 0) {
      const [from, to] = [now, target].map((one) => one.getBoundingClientRect()) as [DOMRect, DOMRect];
      if (to.top > from.top + 1) return 'ArrowDown';
      if (to.top < from.top - 1) return 'ArrowUp';
      return to.left > from.left ? 'ArrowRight' : 'ArrowLeft';
    }
    return now !== document.body && now.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING
      ? 'Shift+Tab'
      : 'Tab';
  });

/** Focuses an element. The focus must be visible there. */
async function reach(what: Locator): Promise<void> {
  await what.waitFor();
  for (let step = 0; step < MOST_STEPS; step++) {
    const key = await nextKey(what);
    if (key === undefined) {
      // Without a visible focus, a keyboard user is lost.
      const isSeen = await what.evaluate((one) => one.matches(':focus-visible'));
      if (!isSeen) throw new Error(`The focus on ${String(what)} is not seen`);
      return;
    }
    await press(key);
  }
  throw new Error(`No key leads to ${String(what)}`);
}

/** Whether Space activates it, and Enter does not. */
const isBox = (what: Locator): Promise<boolean> => what.evaluate((one) => one.matches('[type=checkbox], [type=radio]'));

export const keyboard: Hand = {
  /** From now on using the mouse is an error. */
  begin: () =>
    opened.page.evaluate(() => {
      addEventListener('mousedown', ({ target }) => console.error('The mouse was used on', target), true);
    }),
  async use(what) {
    await reach(what);
    await press((await isBox(what)) ? 'Space' : 'Enter');
  },
  enter: reach,
  async choose(what, label) {
    await reach(what);
    await opened.page.keyboard.type(label);
  },
  async slide(what) {
    await reach(what);
    await press('Home');
  },
  async time(what, time) {
    await reach(what);
    await opened.page.keyboard.type(time);
  },
};
