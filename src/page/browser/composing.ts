/* Keys that belong to an input method during composition are not keys of the page: Enter accepts the word. */

/** Safari reports only this for the last key of a composition. */
const COMPOSED = 229;

/** Runs before any other key handler. */
export const leaveKeysToComposing = (): void =>
  addEventListener(
    'keydown',
    (event) => {
      if (event.isComposing || event.keyCode === COMPOSED) event.stopImmediatePropagation();
    },
    true,
  );
