/* Keys that an input method uses while somebody composes a word are no keys of the page: Enter takes the word. */

/** Of the last key of a composition, Safari says this alone. */
const COMPOSED = 229;

/** Before any handler of keys hears of them. */
export const leaveKeysToComposing = (): void =>
  addEventListener(
    'keydown',
    (event) => {
      if (event.isComposing || event.keyCode === COMPOSED) event.stopImmediatePropagation();
    },
    true,
  );
