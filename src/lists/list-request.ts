import type { Sql } from '../database/sql.js';
import type { StoredField } from '../fields/field.js';
import type { StoredReference } from '../fields/references.js';
import type { RangeOrTextOperator } from '../fields/types/field-type.js';
import type { PageRequest } from './parameters/paging.js';

/** How a field is compared: `eq` is `status=`, the others are written as `status__n=`. */
export type FilterOperator = 'eq' | 'n' | 'empty' | 'all' | RangeOrTextOperator;

/** A condition on a record `t` that is more than a comparison with a field. With several values, any has to match. */
export interface OwnCondition {
  /** @param value SQL of the value, or `ANY(…)` of several @param values these */
  sql(value: Sql, values: readonly unknown[]): Sql;
  /** Type of one value. */
  sqlType: string;
}

/** A parameter with its own condition. */
export interface ExtraFilter extends OwnCondition {
  name: string;
  description: string;
  schema: Record<string, unknown>;
  /** Name of the type in the document, if its values are few. */
  enumName?: string;
  expects: string;
  parse(raw: string): unknown;
}

/** A condition of a request on one field. */
export interface Filter {
  field: StoredField | OwnCondition;
  /** The reference to the record whose field it is, if it is not the record's own. */
  reference?: StoredReference;
  /** `eq` for an own condition. */
  operator: FilterOperator;
  /** As the type of the field parses them; of `empty` one boolean. */
  values: readonly unknown[];
}

/** The order of a request. Records that are equal in it are in the order of their ids. */
export interface Sort {
  /** A field of the record, or the name field of the record that `reference` refers to. */
  field: StoredField;
  reference?: StoredReference;
  direction: 'ASC' | 'DESC';
}

/** A requested list. */
export interface ListRequest extends PageRequest {
  /** Conditions that a record must meet, all of them. */
  filters: readonly Filter[];
  /** Text that a record has to contain. */
  search?: string;
  sort: Sort;
  /** Names of the references whose records are shown too. */
  expand: readonly string[];
}

export const isStoredField = (field: Filter['field']): field is StoredField => 'kind' in field;
