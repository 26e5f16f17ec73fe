import type { ApiPropertyOptions } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../openapi/schema.js';
import { defineBodyField, defineField, defineStored, type StoredDeclaration } from './define-field.js';
import type {
  BodyParts,
  Class,
  ComputedField as Computed,
  Concrete,
  PartsField as Parts,
  SqlExpression,
} from './field.js';
import { boolean } from './types/boolean.js';
import type { FieldType } from './types/field-type.js';
import { jsonObject } from './types/json.js';
import { set, strings } from './types/list.js';
import { currency, price } from './types/money.js';
import { decimal, integer, number } from './types/number.js';
import { email, enumeration, MAX_LINE, MAX_TEXT, secret, text } from './types/text.js';
import { date, timestamp } from './types/time.js';
import { uuid } from './types/uuid.js';

type Declaration = Omit<StoredDeclaration, 'type' | 'description' | 'column' | 'databaseDefault'>;

/** Options of a field of a record or of a request body. */
export type Options = Partial<Omit<Declaration, 'references' | 'onDelete' | 'secret' | 'values' | 'enumName'>>;

/*
 * The field decorators. One line of a record's class declares its column, its validation, its filters and its property in
 * the OpenAPI document. A field without `required` and without `default` is nullable.
 */

/** A stored field of any type. Families declare decorators for their own types with it. */
export function TypedField(
  type: FieldType,
  description: string,
  { required = false, ...options }: Partial<Declaration> = {},
): PropertyDecorator {
  return ({ constructor }, property) =>
    defineStored(constructor as Class, String(property), {
      readOnly: false,
      nullable: !required && options.default === undefined,
      ...options,
      required,
      type,
      description,
    });
}

/** The record's name: required, not blank, searched. */
export const NameField = (description: string, { type = text, ...options }: Options & { type?: FieldType } = {}) =>
  TypedField(type, description, {
    required: true,
    notBlank: true,
    maxLength: MAX_LINE,
    naming: true,
    searchable: true,
    ...options,
  });

/** A decorator for fields of a type. @param usual their options where a field has no others */
const fieldOf =
  (type: FieldType, usual: Partial<Declaration> = {}) =>
  (description: string, options: Options = {}): PropertyDecorator =>
    TypedField(type, description, { ...usual, ...options });

/** One line of text, up to 255 characters. */
export const LineField = fieldOf(text, { maxLength: MAX_LINE });

/** Text of up to 65,536 characters. */
export const TextField = fieldOf(text, { maxLength: MAX_TEXT });

/**
 * An open word, such as a status. Any text is accepted. The usual values are documented, and the first is the example. `counted`
 * maintains counts and an index for lists that are filtered by the word, so it is for words that are often filtered by.
 */
export const WordField = (description: string, knownValues: readonly string[], options: Options = {}) =>
  TypedField(text, description, {
    maxLength: MAX_LINE,
    knownValues,
    example: options.default ?? knownValues[0],
    ...options,
  });

/** One of a closed set of words. */
export const EnumField = (description: string, enumName: string, values: readonly string[], options: Options = {}) =>
  TypedField(enumeration, description, { values, enumName, example: options.default ?? values[0], ...options });

/** A list of texts, `[]` by default. With `values` each entry is one of a closed set. */
export const ListField = (
  description: string,
  options: Options & { values?: readonly string[]; enumName?: string } = {},
) => TypedField(strings, description, { default: [], ...options });

/** Like `ListField`, but a text that is given twice is kept once. */
export const SetField = (...[description, options]: Parameters<typeof ListField>) =>
  TypedField(set, description, { default: [], ...options });

export const SlugField = fieldOf(text, { maxLength: MAX_LINE });

export const EmailField = fieldOf(email, { maxLength: MAX_LINE, example: 'ada@example.com' });

export const IntegerField = fieldOf(integer);

/** A count, a size or a number of seats: an integer that is never negative. */
export const CountField = fieldOf(integer, { min: 0 });

export const NumberField = fieldOf(number);

/** A decimal number in a string, returned unchanged. */
export const DecimalField = fieldOf(decimal, { example: '1200.50' });

/** An amount of money: a decimal number in a string, up to 99,999,999.99. Another field has the currency. */
export const PriceField = fieldOf(price, { example: '1200.50' });

/** A currency code of ISO 4217, `USD` by default. */
export const CurrencyField = fieldOf(currency, { maxLength: 3, default: 'USD', example: 'USD' });

export const BooleanField = fieldOf(boolean, { default: false });

/** An object of any shape. */
export const JsonField = fieldOf(jsonObject);

/** An instant. Requests have an ISO 8601 date-time or date, responses RFC 3339 UTC with milliseconds. */
export const TimestampField = fieldOf(timestamp, { example: '2026-03-01T08:30:00.000Z' });

export const DateField = fieldOf(date, { example: '2026-03-01' });

/** A reference to another record. It is a foreign key and becomes null when that record is deleted, so it is never required. */
export const ReferenceField = (record: () => Class, description: string, options: Options = {}) =>
  TypedField(uuid, description, { references: record, onDelete: 'SET NULL', example: EXAMPLE_ID, ...options });

/** The owner of a part, which is deleted with it. It is in the path, not in the body; `hidden` leaves it out of responses. */
export const OwnerField = (
  record: () => Class,
  description: string,
  options: Pick<Options, 'hidden' | 'indexed' | 'keeps'> = {},
) =>
  TypedField(uuid, description, {
    references: record,
    onDelete: 'CASCADE',
    example: EXAMPLE_ID,
    nullable: false,
    readOnly: true,
    ...options,
  });

/**
 * The hidden foreign key of a link to records of several kinds. There is one for each kind, and a trigger sets it (`point_target.sql`,
 * `point_cable.sql`).
 * @param shownAs the field with the id
 */
export const PointerField = (record: () => Class, shownAs: string) =>
  TypedField(uuid, 'The record that is linked', {
    references: record,
    onDelete: 'CASCADE',
    readOnly: true,
    hidden: true,
    shownAs,
  });

/** A UUID without a foreign key. */
export const UuidField = fieldOf(uuid, { example: EXAMPLE_ID });

/** Text that is encrypted at rest and readable by managers only. */
export const SecretField = fieldOf(secret, { maxLength: MAX_LINE, manyLines: true, secret: true });

/** A stored field of the record that the field `via` refers to; read-only, and null without such a record. */
export function JoinedField(
  via: string,
  joinedProperty: string,
  description: string,
  options: { example?: unknown; schemaName?: string } = {},
): PropertyDecorator {
  return ({ constructor }, property) =>
    defineField(constructor as Class, {
      kind: 'joined',
      property: String(property),
      via,
      joinedProperty,
      description,
      nullable: true,
      readOnly: true,
      ...options,
    });
}

/** The value of an SQL expression; read-only. */
export function ComputedField(
  description: string,
  sql: SqlExpression,
  schema: ApiPropertyOptions,
  {
    nullable = false,
    ...options
  }: Partial<Pick<Computed, 'nullable' | 'source' | 'label' | 'references' | 'decimal'>> = {},
): PropertyDecorator {
  return ({ constructor }, property) =>
    defineField(constructor as Class, {
      kind: 'computed',
      property: String(property),
      description,
      sql,
      schema,
      nullable,
      ...options,
      readOnly: true,
    });
}

/** Parts that are written and read with their record, at least `min` of them. */
export function PartsField(
  description: string,
  parts: Pick<Parts, 'body' | 'response' | 'sql' | 'min'>,
  { required = false }: { required?: boolean } = {},
): PropertyDecorator {
  return ({ constructor }, property) =>
    defineField(constructor as Class, {
      kind: 'parts',
      property: String(property),
      description,
      ...parts,
      required,
      readOnly: false,
    });
}

/** A list of objects in a request body, `min` to `max` of them. `instead`: it is an alternative to other properties. */
export function ObjectsField(
  description: string,
  body: () => Concrete,
  {
    required = false,
    min = 0,
    max,
    instead = false,
  }: Partial<Pick<BodyParts, 'required' | 'min' | 'max' | 'instead'>> = {},
): PropertyDecorator {
  return ({ constructor }, property) =>
    defineBodyField(constructor as Class, {
      kind: 'parts',
      property: String(property),
      description,
      body,
      min,
      max,
      instead,
      required,
      readOnly: false,
    });
}
