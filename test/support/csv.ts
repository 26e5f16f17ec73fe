/** The cells of a CSV, line by line: null for an empty cell without quotes. The text must be complete and well formed. */
export function parseCsv(text: string): (string | null)[][] {
  const lines: (string | null)[][] = [];
  let cells: (string | null)[] = [];
  let rest = text;
  while (rest !== '') {
    const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
    if (!match) throw new Error(`Not CSV: ${rest.slice(0, 200)}`);
    const [whole, quoted, plain, end] = match;
    cells.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (end !== ',') {
      lines.push(cells);
      cells = [];
    }
    rest = rest.slice(whole.length);
  }
  return lines;
}

/** The lines of a CSV as objects with the names of its header. */
export function recordsOfCsv(text: string): Record<string, string | null>[] {
  const [header = [], ...lines] = parseCsv(text);
  return lines.map((cells) => Object.fromEntries(cells.map((cell, index) => [header[index], cell])));
}
