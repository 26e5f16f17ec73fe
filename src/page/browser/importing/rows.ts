/* The rows of a file as the service reads them. */

import { csvOf, pauses, type FileTable } from './file.js';
import type { Target } from './columns.js';
import { READERS_LANGUAGE } from '../locale.js';
import { readTime } from '../times.js';
import { READERS } from '../zones.js';
import {
  dateAndTimeOf,
  dateOf,
  numberOf,
  orderIn,
  toldDateStyle,
  toldDecimalSign,
  type DateStyle,
  type DecimalSign,
} from './values.js';

/** How a file writes its values. */
export interface Styles {
  /** Of the columns that do not tell it themselves. */
  dates: DateStyle;
  /** Likewise. Undefined where somebody has to be asked. */
  decimals: DecimalSign | undefined;
  /** The zone of times that do not name one. */
  zone: string;
}

/** A column that is brought, with what it tells of its own values. */
export interface Column {
  /** Its place in the file. */
  at: number;
  target: Target;
  dates?: DateStyle;
  decimals?: DecimalSign;
}

const isDate = ({ field: { format } }: Target): boolean => format === 'date' || format === 'date-time';
const isNumber = ({ field: { type, decimal } }: Target): boolean =>
  type === 'integer' || type === 'number' || decimal === true;
/** Whether the time of day of a column counts. */
export const isTime = ({ field: { format, day } }: Target): boolean => format === 'date-time' && !day;

/** Whether a field can have the values of a column: of a date that ends a warranty, `36 months` is none. */
export function fits({ rows }: FileTable, at: number, target: Target): boolean {
  if (!isDate(target)) return true;
  const values = rows.flatMap(({ cells }) => cells[at]?.trim() || []);
  return values.length === 0 || values.some((value) => dateOf(value, 'dmy') ?? dateOf(value, 'mdy'));
}

const cellsOf = ({ rows }: FileTable, at: number): string[] => rows.map(({ cells }) => cells[at] ?? '');

/** The columns that are brought, and the styles that are chosen at first: those that columns tell, or the order of the reader's language. */
export function read(
  table: FileTable,
  names: readonly (string | undefined)[],
  targets: readonly Target[],
): { columns: Column[]; styles: Styles } {
  const signs: (DecimalSign | 'open')[] = [];
  const columns = names.flatMap((name, at): Column[] => {
    const target = targets.find((one) => one.name === name);
    if (!target) return [];
    if (isDate(target)) return [{ at, target, dates: toldDateStyle(cellsOf(table, at)) }];
    const sign = isNumber(target) ? toldDecimalSign(cellsOf(table, at)) : undefined;
    if (sign) signs.push(sign);
    return [{ at, target, decimals: sign === 'open' ? undefined : sign }];
  });
  return {
    columns,
    styles: {
      dates: columns.find(({ dates }) => dates)?.dates ?? orderIn(READERS_LANGUAGE),
      // What a column does not tell is asked, whatever others do.
      decimals: signs.includes('open') ? undefined : ((signs[0] as DecimalSign | undefined) ?? '.'),
      zone: READERS,
    },
  };
}

const YES = /^(?:yes|y|true|1|x|ja|wahr)$/i;
const NO = /^(?:no|n|false|0|nein|falsch)$/i;

/** A cell as the service takes it. One that cannot be understood stays as it is, so that the service names it. */
export function valueOf(cell: string, column: Column, styles: Styles): string {
  const { target } = column;
  const { field } = target;
  const text = cell.trim();
  if (text === '') return '';
  if (isTime(target)) return timeOr(text, readTime(text, column.dates ?? styles.dates, styles.zone));
  if (isDate(target)) return dayOf(text, column.dates ?? styles.dates);
  if (isNumber(target)) return numberOf(text, column.decimals ?? styles.decimals ?? '.') ?? text;
  if (field.type === 'boolean') return YES.test(text) ? 'true' : NO.test(text) ? 'false' : text;
  const word = text.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return field.known?.includes(word) ? word : text;
}

/** A time, or a text that the service takes for none: it would read one without an offset in UTC. */
const timeOr = (text: string, time: string | undefined): string => time ?? text.replace(/^(\S{10})T/i, '$1 ');

/** The value of a field that has no time of day. A text that has one is a fault, because it would be lost. */
function dayOf(text: string, style: DateStyle): string {
  const found = dateAndTimeOf(text, style);
  if (!found) return timeOr(text, undefined);
  return found.isMidnight ? found.date : timeOr(text, undefined);
}

/** The values of a row that are sent. */
export const valuesOf = (
  { cells }: FileTable['rows'][number],
  columns: readonly Column[],
  styles: Styles,
): readonly string[] => columns.map((column) => valueOf(cells[column.at] ?? '', column, styles));

/** The file that is sent: the columns that were chosen, under the names that the service knows. */
export async function bodyOf(
  table: FileTable,
  columns: readonly Column[],
  styles: Styles,
): Promise<{ text: string; sent: number[] }> {
  /** Places of the rows that are sent. The service does not number rows without any value. */
  const sent: number[] = [];
  function* rows(): Generator<readonly string[]> {
    yield columns.map(({ target }) => target.name);
    for (const [place, row] of table.rows.entries()) {
      const values = valuesOf(row, columns, styles);
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
