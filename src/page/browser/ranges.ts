/* Names of several records in one: `Gi1/0/[1-24]`. */

const RANGE = /\[(\d{1,6})-(\d{1,6})\]/;
/** Records that one request creates. */
const MOST = 1000;

/** The names that a text with a range means, with as many digits as its first number has; undefined for a text without one. */
export function namesIn(text: unknown): string[] | undefined {
  const found = typeof text === 'string' ? RANGE.exec(text) : null;
  if (!found) return undefined;
  const [whole, first, last] = found;
  const count = Number(last) - Number(first) + 1;
  if (count < 1 || count > MOST) return undefined;
  return Array.from({ length: count }, (_, at) =>
    (text as string).replace(whole, String(Number(first) + at).padStart(first.length, '0')),
  );
}
