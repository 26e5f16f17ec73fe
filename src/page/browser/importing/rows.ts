/* The rows of a file in the form of the service. */

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
  /** For the columns that do not determine it themselves. */
  dates: DateStyle;
  /** Likewise. Undefined if the user must be asked. */
  decimals: DecimalSign | undefined;
  /** The zone of times that do not name one. */
  zone: string;
}

/** An imported column, with the style that its own values show. */
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
/** Whether the time of day in a column matters. */
export const isTime = ({ field: { format, day } }: Target): boolean => format === 'date-time' && !day;

/** Whether a field can have the values of a column. For example, `36 months` is not the end of a warranty. */
export function fits({ rows }: FileTable, at: number, target: Target): boolean {
  if (!isDate(target)) return true;
  const values = rows.flatMap(({ cells }) => cells[at]?.trim() || []);
  return values.length === 0 || values.some((value) => dateOf(value, 'dmy') ?? dateOf(value, 'mdy'));
}

const cellsOf = ({ rows }: FileTable, at: number): string[] => rows.map(({ cells }) => cells[at] ?? '');

/** The imported columns, and the initial styles: those that columns show, or the order of the reader's language. */
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
      // A style that a column does not show is asked for, whatever the others show.
      decimals: signs.includes('open') ? undefined : ((signs[0] as DecimalSign | undefined) ?? '.'),
      zone: READERS,
    },
  };
}

const YES = /^(?:yes|y|true|1|x|ja|wahr)$/i;
const NO = /^(?:no|n|false|0|nein|falsch)$/i;

/** A cell in the form of the service. An invalid one stays the same, so that the service reports it. */
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

/** A time, or a text that the service refuses. It would read a time without an offset as UTC. */
const timeOr = (text: string, time: string | undefined): string => time ?? text.replace(/^(\S{10})T/i, '$1 ');

/** The value of a field without a time of day. A text with one is a fault, because the time would be lost. */
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

/** The file to send: the chosen columns, under the names of the service. */
export async function bodyOf(
  table: FileTable,
  columns: readonly Column[],
  styles: Styles,
): Promise<{ text: string; sent: number[] }> {
  /** Positions of the rows that are sent. The service does not number empty rows. */
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

/** The refused rows, unchanged, with an additional column for the reason. */
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

/** The column of faults, which is skipped when the corrected file is imported. */
export const FAULT = 'Fault';
