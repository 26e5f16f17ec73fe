const INDENT = '  ';

/** Down to this depth, each member of an object or list has its own lines: `paths`, `/api/sites`, and `get`. */
const DEPTH = 3;

/**
 * The document as the text of a file, with a line for each operation and each component. It has half the size of the usual indentation,
 * and a change of one operation is a change of one line.
 */
export const printed = (document: object): string => `${lines(document, DEPTH, '')}\n`;

function lines(value: unknown, depth: number, indent: string): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + INDENT;
  const [open, close, members] = Array.isArray(value)
    ? ['[', ']', value.map((entry) => lines(entry, depth - 1, inner))]
    : ['{', '}', membersOf(value).map(([name, entry]) => `${JSON.stringify(name)}: ${lines(entry, depth - 1, inner)}`)];
  if (members.length === 0) return open + close;
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}

/** The members that have a JSON value. */
const membersOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, entry]) => entry !== undefined);
