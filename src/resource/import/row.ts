import { CUSTOM } from '../../fields/custom/custom-field.js';
import { Fault } from '../../http/errors.js';
import { isObject } from '../../http/json-body.js';
import { textOf, valueOf, type CellOptions, type Column, type Columns, type TextColumn } from './columns.js';
import type { FileRow } from './rows.js';

/** A row on its way to a record. */
export interface Row {
  row: number;
  line: number;
  /** Properties of the body, as they were sent. */
  given: Record<string, unknown>;
  /** Texts that identify the targets of references. */
  texts: { column: TextColumn; text: string }[];
  faults: Fault[];
  /** The error of the database that refused the row. */
  refusal?: unknown;
  /** Id in the file. */
  sentId?: unknown;
  /** Validated body. */
  body: object;
  /** Id of the existing record that the row updates. */
  existing?: string;
  /** Its record, and what writing the row did to it. */
  written?: { id: string; as: 'created' | 'updated' | 'unchanged' };
  /** Id in the file for a new record. */
  newId?: string;
}

/** Most faults of a row. What comes after them is not read. */
const MAX_FAULTS = 100;

/** Whether a row could be read to its end. */
export const isRead = ({ faults }: Row): boolean =>
  faults.length < MAX_FAULTS && faults.every(({ field }) => field !== '');

export const isGood = ({ faults }: Row): boolean => faults.length === 0;

/** Reads what rows of a file give for the columns of the resource. */
export class RowReader {
  /** The columns of the header, by their positions; null for one without a name. */
  private readonly header: readonly (Column | null)[];
  /** Number of unknown columns in all rows so far. */
  private unknown = 0;

  constructor(
    header: readonly string[] | undefined,
    private readonly columns: Columns,
    private readonly options: CellOptions,
  ) {
    this.header = (header ?? []).map((name) => columns.of(name));
  }

  read({ row, line, cells, values, fault }: FileRow): Row {
    const read: Row = { row, line, given: {}, texts: [], faults: [], body: {} };
    if (fault !== undefined) read.faults.push(new Fault('', fault));
    if (cells) {
      for (const [index, column] of this.header.entries()) {
        const cell = cells[index];
        const text = column && cell !== undefined ? textOf(cell, this.options) : undefined;
        if (text !== undefined) take(read, column!, text, true);
      }
    } else if (values) {
      for (const name of Object.keys(values)) {
        if (read.faults.length >= MAX_FAULTS) break;
        const column = this.columns.of(name);
        if (column) take(read, column, values[name], false);
        else if (!this.columns.isExpansion(name)) {
          read.faults.push(this.columns.unknown(name, this.unknown++));
        }
      }
    }
    return read;
  }
}

/** The value that a row gives for a property, such as `siteId` or `customFields.tier`. */
export function givenFor({ given }: Row, property: string): unknown {
  const key = customKey(property);
  if (key === undefined) return given[property];
  const { [CUSTOM]: values } = given;
  return isObject(values) ? values[key] : undefined;
}

export function give({ given }: Row, property: string, value: unknown): void {
  const key = customKey(property);
  if (key === undefined) {
    given[property] = value;
    return;
  }
  const { [CUSTOM]: values = {} } = given;
  given[CUSTOM] = isObject(values) ? { ...values, [key]: value } : values;
}

const customKey = (property: string): string | undefined =>
  property.startsWith(`${CUSTOM}.`) ? property.slice(CUSTOM.length + 1) : undefined;

/** Takes the value of a column: a text of a CSV file, or null, or a JSON value. */
function take(row: Row, column: Column, value: unknown, isText: boolean): void {
  const { name } = column;
  const { texts, faults } = row;
  if (name === 'id') row.sentId = value ?? undefined;
  if (column.kind === 'text') {
    if (typeof value === 'string' && value !== '') texts.push({ column, text: value });
    else if (value === null) give(row, column.reference.property, givenFor(row, column.reference.property) ?? null);
    else faults.push(new Fault(name, 'must be a text'));
  } else if (column.kind === 'value') {
    const sent = isText ? valueOf(value as string | null, column.field) : value;
    // What an export as JSON lines shows of the record that a custom field refers to.
    if (!isText && isObject(sent) && column.field.kind === 'stored' && column.field.custom && column.field.references)
      return;
    // A reference is given by its id or by a text, whichever is not empty.
    if (sent !== null || givenFor(row, name) === undefined) give(row, name, sent);
  } else if (column.kind === 'custom') {
    row.given[CUSTOM] = isObject(value) && isObject(row.given[CUSTOM]) ? { ...row.given[CUSTOM], ...value } : value;
  }
}
