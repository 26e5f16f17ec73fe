import type { ApiPropertyOptions } from '@nestjs/swagger';
import { defineField, type Class, type Concrete, type Field, type SqlExpression } from './field.js';
import * as types from './field-types.js';
import { MAX_LINE, MAX_TEXT, type FieldType } from './field-types.js';

/**
 * The field decorators: one line of a record's class is its column, its validation, its filters and its property in
 * the OpenAPI document. A field without `required` and without `default` is null when it is not given.
 */
type Options = Partial<
  Pick<
    Field,
    | 'required'
    | 'nullable'
    | 'default'
    | 'example'
    | 'readOnly'
    | 'naming'
    | 'searchable'
    | 'knownValues'
    | 'unique'
    | 'min'
    | 'max'
    | 'maxLength'
    | 'notBlank'
    | 'writeOnly'
    | 'schemaName'
  >
>;

function declare(type: FieldType, description: string, options: Options & Partial<Field>): PropertyDecorator {
  const { required = false, default: fallback } = options;
  return (prototype, property) =>
    defineField(prototype.constructor as Class, property as string, {
      readOnly: false,
      nullable: !required && fallback === undefined,
      ...options,
      required,
      type,
      description,
    });
}

/** The record's name: required, not blank, searched. */
export const NameField = (description: string, options: Options = {}) =>
  declare(types.text, description, {
    required: true,
    notBlank: true,
    maxLength: MAX_LINE,
    naming: true,
    searchable: true,
    ...options,
  });

/** One line of text, up to 255 characters. */
export const LineField = (description: string, options: Options = {}) =>
  declare(types.text, description, { maxLength: MAX_LINE, ...options });

/** Text of up to 65,536 characters. */
export const TextField = (description: string, options: Options = {}) =>
  declare(types.text, description, { maxLength: MAX_TEXT, ...options });

/** An open word, such as a status: any text, with the values that are usual. The first of them is the example. */
export const WordField = (description: string, knownValues: readonly string[], options: Options = {}) =>
  declare(types.text, description, {
    maxLength: MAX_LINE,
    knownValues,
    example: options.default ?? knownValues[0],
    ...options,
  });

/** One of a closed set of words. */
export const EnumField = (description: string, enumName: string, values: readonly string[], options: Options = {}) =>
  declare(types.enumeration, description, { values, enumName, example: options.default ?? values[0], ...options });

/** A list of texts; of a closed set where `values` are given. `[]` when it is not given. */
export const ListField = (
  description: string,
  options: Options & { values?: readonly string[]; enumName?: string } = {},
) => declare(types.strings, description, { default: [], ...options });

export const SlugField = (description = 'URL-friendly name', options: Options = {}) =>
  declare(types.text, description, { maxLength: MAX_LINE, example: 'core-switch', ...options });

export const EmailField = (description: string, options: Options = {}) =>
  declare(types.email, description, { maxLength: MAX_LINE, example: 'ada@example.com', ...options });

export const IntegerField = (description: string, options: Options = {}) =>
  declare(types.integer, description, options);

/** A count, a size or a number of seats: an integer that is never negative. */
export const CountField = (description: string, options: Options = {}) =>
  declare(types.integer, description, { min: 0, ...options });

export const NumberField = (description: string, options: Options = {}) => declare(types.number, description, options);

/** A height or position in rack units, in halves. */
export const RackUnitsField = (description: string, options: Options = {}) =>
  declare(types.halves, description, { min: 0, max: 1000, example: 1, ...options });

/** A decimal number carried as a string and answered exactly as it was written. */
export const DecimalField = (description: string, options: Options = {}) =>
  declare(types.decimal, description, { example: '1200.50', ...options });

/** An amount of money, numeric(10,2), carried as a string with two fractional digits. */
export const PriceField = (description: string, options: Options = {}) =>
  declare(types.price, description, { example: '1200.50', ...options });

/** A currency code of ISO 4217; `USD` when it is not given. */
export const CurrencyField = (description = 'Currency, an ISO 4217 code', options: Options = {}) =>
  declare(types.currency, description, { maxLength: 3, default: 'USD', example: 'USD', ...options });

export const BooleanField = (description: string, options: Options = {}) =>
  declare(types.boolean, description, { default: false, ...options });

/** An instant. In: ISO 8601 date-time or date; out: RFC 3339 UTC with milliseconds. */
export const TimestampField = (description: string, options: Options = {}) =>
  declare(types.timestamp, description, { example: '2026-03-01T08:30:00.000Z', ...options });

/** A calendar date. */
export const DateField = (description: string, options: Options = {}) =>
  declare(types.date, description, { example: '2026-03-01', ...options });

/** The version of an IP address, which follows from the address. */
export const IpFamilyField = (description: string, options: Options = {}) =>
  declare(types.ipFamily, description, { nullable: false, min: 4, max: 6, example: 4, ...options });

/** An IP address with its prefix length. */
export const AddressField = (description: string, options: Options = {}) =>
  declare(types.address, description, { example: '10.0.0.1/24', ...options });

export const EXAMPLE_ID = '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90';

/** A reference to another record: a foreign key that becomes null when that record is deleted. */
export const ReferenceField = (record: () => Class, description: string, options: Options = {}) =>
  declare(types.uuid, description, { references: record, onDelete: 'SET NULL', example: EXAMPLE_ID, ...options });

/** The record that this one is a part of, and goes with. Given by the path, so it is not part of a body. */
export const OwnerField = (record: () => Class, description: string) =>
  declare(types.uuid, description, {
    references: record,
    onDelete: 'CASCADE',
    example: EXAMPLE_ID,
    nullable: false,
    readOnly: true,
  });

/** A uuid in a request body that is not a stored reference. */
export const UuidField = (description: string, options: Options = {}) =>
  declare(types.uuid, description, { example: EXAMPLE_ID, ...options });

/** Text that is encrypted at rest and shown to managers only. */
export const SecretField = (description: string, options: Options = {}) =>
  declare(types.secret, description, { maxLength: MAX_LINE, secret: true, ...options });

/** A property of the record that another field refers to; read-only. */
export const JoinedField = (via: string, property: string, description: string, options: Options = {}) =>
  declare(types.text, description, { readOnly: true, joined: { via, property }, ...options });

/** A value worked out by SQL when the record is read; read-only. */
export const ComputedField = (
  description: string,
  sql: SqlExpression,
  schema: ApiPropertyOptions,
  options: Options = {},
) => declare(types.text, description, { readOnly: true, nullable: false, computed: { sql, schema }, ...options });

/** Parts that are given and shown with their record. */
export const PartsField = (description: string, parts: NonNullable<Field['parts']>, options: Options = {}) =>
  declare(types.text, description, { parts, nullable: false, ...options });

/** A list of objects in a request body. */
export const ObjectsField = (description: string, body: () => Concrete, options: Options & { min?: number } = {}) =>
  declare(types.text, description, {
    parts: { body, response: body, sql: () => 'NULL', min: options.min ?? 0 },
    required: options.required,
    nullable: false,
  });
