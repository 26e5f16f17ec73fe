const MAX_LENGTH = 1024;

// Encoded slashes, backslashes, dots, percent signs and control characters, which a proxy may decode.
const AMBIGUOUS = /%(?:2e|2f|5c|25|7f|[01][0-9a-f])/i;
const PATH = /^(?:\/(?:[\w~!$&'()*+,;=:@.-]|%[0-9a-f]{2})+)*\/?$/i;
const QUERY_AND_FRAGMENT = /^(?:[?#][!-[\]-~]*)?$/;

/** Whether a text is a path of this service that all browsers and proxies interpret alike. */
export function isPathOnThisOrigin(text: string): boolean {
  if (text.length > MAX_LENGTH || !text.startsWith('/')) return false;
  const end = text.search(/[?#]|$/);
  const path = text.slice(0, end);
  const dots = path.split('/').some((segment) => segment === '.' || segment === '..');
  return !dots && !AMBIGUOUS.test(path) && PATH.test(path) && QUERY_AND_FRAGMENT.test(text.slice(end));
}
