/*
 * The language of dates and numbers, and the order of names. Dates are in English, like the page, in the order of the reader's kind of
 * English, if any.
 */

const language = (globalThis.navigator as Navigator | undefined)?.language ?? 'en-GB';

/** The language of the reader, whatever the page is written in. */
export const READERS_LANGUAGE = language;

/** Of dates and numbers that are shown. */
export const LOCALE = /^en\b/i.test(language) ? language : 'en-GB';

/** Names in natural order, ignoring case: `r2`, `R10`. */
export const { compare: byName } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
