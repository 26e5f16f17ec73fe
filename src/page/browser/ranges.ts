/* Names of several records in one: `Ethernet[1-2]/[1-4]`, `Gi1/0/[1,3,5]`, `[xe,ge]-0/0/[a-c]`. */

/** Records that one request creates. */
const MOST = 1000;

/** Names, or why they cannot be read. */
export type Names = { names: string[] } | { fault: string };

/** Expands one item in brackets between commas. Numbers have as many digits as the first. */
function itemsOf(item: string): string[] | undefined {
  if (!item.includes('-')) return /^[a-z0-9]+$/i.test(item) ? [item] : undefined;
  const numbers = /^(\d{1,6})-(\d{1,6})$/.exec(item);
  const letters = /^([a-z])-([a-z])$/.exec(item) ?? /^([A-Z])-([A-Z])$/.exec(item);
  const [, first, last] = numbers ?? letters ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [from, to] = numbers ? [Number(first), Number(last)] : [first.codePointAt(0)!, last.codePointAt(0)!];
  // Of very many it does not matter how many there are.
  const count = Math.min(to - from + 1, MOST + 1);
  if (count < 1) return undefined;
  return Array.from({ length: count }, (_, at) =>
    numbers ? String(from + at).padStart(first.length, '0') : String.fromCodePoint(from + at),
  );
}

/**
 * Expands a text with brackets to names, in NetBox's order: the last bracket changes first.
 * @param isStrict whether each bracket must be valid; otherwise a text with an invalid one is one name
 * @returns undefined for one name
 */
export function namesIn(text: unknown, isStrict = false): Names | undefined {
  if (typeof text !== 'string' || !text.includes('[')) return undefined;
  let names = [''];
  let rest = text;
  while (rest.includes('[')) {
    const start = rest.indexOf('[');
    const end = rest.indexOf(']', start);
    const inside = end < 0 ? rest.slice(start + 1) : rest.slice(start + 1, end);
    const items = end < 0 ? [undefined] : inside.split(',').map((item) => itemsOf(item.trim()));
    if (items.includes(undefined) || (!isStrict && !/[,-]/.test(inside)))
      return isStrict ? { fault: `has a bracket that cannot be read: [${inside}${end < 0 ? '' : ']'}` } : undefined;
    const meant = (items as string[][]).flat();
    const before = rest.slice(0, start);
    if (names.length * meant.length > MOST) {
      return isStrict ? { fault: `means more than ${MOST.toLocaleString('en')} names` } : undefined;
    }
    names = names.flatMap((name) => meant.map((one) => `${name}${before}${one}`));
    rest = rest.slice(end + 1);
  }
  if (isStrict && rest.includes(']')) return { fault: "has a ']' without a '['" };
  names = names.map((name) => name + rest);
  if (new Set(names).size < names.length) return isStrict ? { fault: 'means a name twice' } : undefined;
  return { names };
}
