/** Media type of a page to print. */
export const HTML_TYPE = 'text/html; charset=utf-8';
