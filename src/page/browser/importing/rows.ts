/* The rows of a file as the service reads them. */

import { csvOf, pauses, type FileTable } from './file.js';
import type { Target } from './columns.js';
import { dateOf, dateStyleOf, decimalSignOf, numberOf, type DateStyle, type DecimalSign } from './values.js';

/** How a file writes its values. */
export interface Styles {
  dates: DateStyle;
  decimals: DecimalSign;
}

const isDate = ({ field: { format } }: Target): boolean => format === 'date' || format === 'date-time';
const isNumber = ({ field: { type, decimal } }: Target): boolean =>
  type === 'integer' || type === 'number' || decimal === true;

/** Whether a field can have the values of a column: of a date that ends a warranty, `36 months` is none. */
export function fits({ rows }: FileTable, at: number, target: Target): boolean {
  if (!isDate(target)) return true;
  const values = rows.flatMap(({ cells }) => cells[at]?.trim() || []);
  return values.length === 0 || values.some((value) => dateOf(value, 'dmy') ?? dateOf(value, 'mdy'));
}

/** The columns that are brought, by their place in the file. */
export function chosenOf(
  columns: readonly (string | undefined)[],
  targets: readonly Target[],
): { at: number; target: Target }[] {
  return columns.flatMap((name, at) => {
    const target = targets.find((one) => one.name === name);
    return target ? [{ at, target }] : [];
  });
}

/** The styles that fit the values of a file. */
export function stylesOf(table: FileTable, chosen: readonly { at: number; target: Target }[]): Styles {
  const valuesOf = (test: (target: Target) => boolean): string[] =>
    chosen
      .filter(({ target }) => test(target))
      .flatMap(({ at }) => table.rows.slice(0, 5000).map(({ cells }) => cells[at] ?? ''));
  return { dates: dateStyleOf(valuesOf(isDate)), decimals: decimalSignOf(valuesOf(isNumber)) };
}

const YES = /^(?:yes|y|true|1|x|ja|wahr)$/i;
const NO = /^(?:no|n|false|0|nein|falsch)$/i;

/** A cell as the service takes it. One that cannot be understood stays as it is, so that the service names it. */
export function valueOf(cell: string, { field, ...target }: Target, { dates, decimals }: Styles): string {
  const text = cell.trim();
  if (text === '') return '';
  if (isDate({ field, ...target })) return /^\d{4}-\d{2}-\d{2}T/.test(text) ? text : (dateOf(text, dates) ?? text);
  if (isNumber({ field, ...target })) return numberOf(text, decimals) ?? text;
  if (field.type === 'boolean') return YES.test(text) ? 'true' : NO.test(text) ? 'false' : text;
  const word = text.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return field.known?.includes(word) ? word : text;
}

/** The file that is sent: the columns that were chosen, under the names that the service knows. */
export async function bodyOf(
  table: FileTable,
  chosen: readonly { at: number; target: Target }[],
  styles: Styles,
): Promise<{ text: string; sent: number[] }> {
  /** Places of the rows that are sent. The service does not number rows without any value. */
  const sent: number[] = [];
  function* rows(): Generator<string[]> {
    yield chosen.map(({ target }) => target.name);
    for (const [place, { cells }] of table.rows.entries()) {
      const values = chosen.map(({ at, target }) => valueOf(cells[at] ?? '', target, styles));
      if (values.every((value) => value === '')) continue;
      sent.push(place);
      yield values;
    }
  }
  return { text: await csvOf(rows(), ','), sent };
}

/** The rows that were refused, as they were, with one more column that says why. */
export async function faultyFile(table: FileTable, faults: ReadonlyMap<number, readonly string[]>): Promise<string> {
  const pause = pauses();
  const rows: string[][] = [[...table.header, FAULT]];
  for (const [at, { cells }] of table.rows.entries()) {
    const found = faults.get(at);
    if (found) rows.push([...table.header.map((_, column) => cells[column] ?? ''), found.join('; ')]);
    await pause();
  }
  return csvOf(rows, table.separator);
}

/** The column of faults, which is not imported when the mended file comes back. */
export const FAULT = 'Fault';
