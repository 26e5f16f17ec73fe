/* The language that dates and numbers are written in, and the order of names. The page is in English, so its dates are too, in the order that the reader is used to if that is a kind of English. */

const language = (globalThis.navigator as Navigator | undefined)?.language ?? 'en-GB';

/** The language of the reader, whatever the page is written in. */
export const READERS_LANGUAGE = language;

/** Of dates and numbers that are shown. */
export const LOCALE = /^en\b/i.test(language) ? language : 'en-GB';

/** Names in the order in which people count, whether in upper or lower case: `r2`, `R10`. */
export const { compare: byName } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
