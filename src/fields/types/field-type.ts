import type { FaultCode } from '../../http/errors.js';
import type { ColumnOptions } from 'typeorm';

/** The type of a stored field: how a value is stored, read from JSON, documented, filtered and returned. */
export interface FieldType {
  /** Whether values are objects of any shape, which bodies keep as JSON text. Lists are not filtered or sorted by them. */
  isJson?: true;
  /** Column type for TypeORM. */
  column(field: FieldOptions): ColumnOptions;
  /**
   * Decorators of class-validator for a value that is neither undefined nor null. The most specific one comes first, because only the
   * message of the first failing decorator is shown.
   */
  constraints(field: FieldOptions): readonly PropertyDecorator[];
  /** The stored form of a value in a body. A value that the constraints refuse is returned as it is. */
  transform?: (value: unknown) => unknown;
  /** JSON schema of a value in a response, without description, example and nullability. */
  schema(field: FieldOptions): Record<string, unknown>;
  /** JSON schema of a value in a request, if requests accept more spellings than responses have; `schema` by default. */
  requestSchema?(field: FieldOptions): Record<string, unknown>;
  /** JSON schema of one filter value, if filters accept more values than are stored; `requestSchema` by default. */
  filterSchema?(field: FieldOptions): Record<string, unknown>;
  /** PostgreSQL type that a filter's parameter is cast to. */
  sqlType: string;
  /** Value of a filter in a query string; undefined if the text is not a value of this type. */
  parse(raw: string, field: FieldOptions): unknown;
  /** Of a list: the type of its entries. */
  entry?: (field: FieldOptions) => FieldType;
  /** The canonical text of a JSON value, which is the same for equal values; the result of `parse` by default. */
  normal?(text: string): unknown;
  /** The reason if a formerly valid value may only stay in records that have it; undefined for other values. */
  withdrawn?: (text: string) => string | undefined;
  /** The expected value for the error message "must be …". */
  expects: string;
  /** Filter operators besides equality, `__n` and `__empty`. */
  operators: readonly RangeOrTextOperator[];
  /** SQL of the JSON value of a column; the column itself by default. */
  select?(column: string): string;
  /** SQL sort keys of a column; the column itself by default. */
  sortKeys?(column: string): string[];
  /** SQL of a column in a comparison with a filter value; the column itself by default. */
  compared?(column: string): string;
  /** The JSON value of a text in a spreadsheet, or the text if it has no such form; the text itself by default. */
  fromText?(text: string): unknown;
  /** SQL of a value that names a record, in a form in which equal names are equal; `compared` by default. */
  key?(column: string): string;
  /** The same form for the text of such a name; the text itself by default. */
  folded?(text: string): string;
  /** SQL text of a column for the text operators; the column itself by default. */
  text?(column: string): string;
}

export type RangeOrTextOperator = 'gte' | 'lte' | 'gt' | 'lt' | 'ic' | 'isw' | 'ie';
export const RANGE_OPERATORS = ['gte', 'lte', 'gt', 'lt'] as const;
export const TEXT_OPERATORS = ['ic', 'isw', 'ie'] as const;

export interface FieldOptions {
  /** Longest text, in characters (code points). */
  maxLength?: number;
  min?: number;
  max?: number;
  /** Closed set of values. */
  values?: readonly string[];
  /** Name of the closed set's schema in the OpenAPI document. */
  enumName?: string;
  notBlank?: boolean;
  /** Whether a text may have line feeds although it is short. */
  manyLines?: boolean;
}

/** The reason why a value is refused: the end of a sentence that starts with the field's name. */
export class Invalid {
  constructor(
    readonly message: string,
    readonly code: FaultCode = 'invalid',
    /** Of a list, the entry that is refused, as `[1]`. */
    readonly entry = '',
  ) {}
}
