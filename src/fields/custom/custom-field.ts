import type { Class, StoredField } from '../field.js';
import { CUSTOM_COLUMN } from '../record-entity.js';
import { boolean } from '../types/boolean.js';
import type { FieldOptions, FieldType } from '../types/field-type.js';
import { MAX_ENTRIES, strings } from '../types/list.js';
import { compareDecimals, decimal, integer } from '../types/number.js';
import { eachEntry, ownConstraint, textConstraint } from '../types/own-constraint.js';
import { enumeration, MAX_TEXT, text } from '../types/text.js';
import { date, timestamp } from '../types/time.js';
import { uuid } from '../types/uuid.js';
import type { CustomDefinition, CustomType } from './definition.js';
import { compilePattern, patternFault } from './pattern.js';

/** Prefix of the names of custom fields. */
export const CUSTOM = 'customFields';

const AN_ADDRESS = 'an absolute http or https address';
const isAddress = (value: string): boolean =>
  /^https?:\/\/[^\s/?#]/i.test(value) && !/\s/.test(value) && URL.canParse(value);

/** An absolute web address, as it was written. */
const url: FieldType = {
  ...text,
  constraints: (field) => [
    ...text.constraints(field),
    textConstraint('isAddress', isAddress, `must be ${AN_ADDRESS}`)(),
  ],
  schema: (field) => ({ ...text.schema(field), format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' }),
};

/** Compares texts by code point, as the database does. Surrogates are smaller UTF-16 units than U+E000 to U+FFFF, but greater code points. */
export function byCodePoint(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return rankOf(left) - rankOf(right);
  }
  return a.length - b.length;
}

const rankOf = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** A set of words, kept in the order of their code points. */
const tags: FieldType = {
  ...strings,
  constraints: (field) => [
    ...strings.constraints(field),
    ownConstraint('isTag', (entry) => entry !== '')(eachEntry('must not be empty', (entry) => entry !== '')),
  ],
  transform: (value) =>
    Array.isArray(value) && value.every((entry) => typeof entry === 'string')
      ? [...new Set(value as string[])].toSorted(byCodePoint)
      : value,
  schema: ({ values }) => ({
    type: 'array',
    maxItems: MAX_ENTRIES,
    items: values ? { type: 'string', enum: values } : { type: 'string', minLength: 1, maxLength: 255 },
  }),
};

const TYPES: Readonly<Record<CustomType, FieldType>> = {
  text,
  integer,
  decimal,
  boolean,
  date,
  dateTime: timestamp,
  url,
  choice: enumeration,
  tags,
  reference: uuid,
};

/** SQL types of the values, to which their texts are cast. Those of texts are left as they are. */
const CASTS: Partial<Record<CustomType, string>> = {
  integer: 'integer',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'timestamptz',
  reference: 'uuid',
};

const EXAMPLES: Readonly<Record<CustomType, unknown>> = {
  text: 'text',
  integer: 1,
  decimal: '1200.50',
  boolean: true,
  date: '2026-03-01',
  dateTime: '2026-03-01T08:30:00.000Z',
  url: 'https://example.com/',
  choice: undefined,
  tags: ['core'],
  reference: '3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69',
};

/** Types whose texts a pattern can restrict, and types whose values can have bounds. */
export const PATTERNED: readonly CustomType[] = ['text', 'url'];
export const BOUNDED: readonly CustomType[] = ['integer', 'decimal', 'date', 'dateTime'];
export const CHOSEN: readonly CustomType[] = ['choice', 'tags'];
export const SEARCHED: readonly CustomType[] = ['text', 'url', 'choice', 'tags'];

/** Compares two values of a bounded type in their stored form. */
export const compareValues = (type: CustomType, a: unknown, b: unknown): number =>
  type === 'integer'
    ? (a as number) - (b as number)
    : type === 'decimal'
      ? compareDecimals(a as string, b as string)
      : byCodePoint(a as string, b as string);

/** Message for a value outside the bounds. One of the bounds may be null. */
function boundsOf({ type, minimum, maximum }: CustomDefinition): PropertyDecorator[] {
  if ((minimum === null && maximum === null) || type === 'integer' || !BOUNDED.includes(type)) return [];
  const isWithin = (value: unknown): boolean =>
    (minimum === null || compareValues(type, value, minimum) >= 0) &&
    (maximum === null || compareValues(type, value, maximum) <= 0);
  const sentence =
    minimum === null
      ? `must be at most ${String(maximum)}`
      : maximum === null
        ? `must be at least ${String(minimum)}`
        : `must be between ${String(minimum)} and ${String(maximum)}`;
  return [ownConstraint('min', isWithin, sentence)()];
}

function patternOf({ type, pattern }: CustomDefinition): { constraints: PropertyDecorator[]; source?: string } {
  // Manual SQL may have stored an invalid pattern. The database enforces the rule nevertheless.
  if (pattern === null || !PATTERNED.includes(type) || patternFault(pattern) !== undefined) return { constraints: [] };
  const { source, test } = compilePattern(pattern);
  return { constraints: [textConstraint('matches', test, `must match ${pattern}`)()], source };
}

/** The type of a definition's values: the type of ordinary fields, with the rules of the definition. */
function typeOf(definition: CustomDefinition): FieldType {
  const type = TYPES[definition.type];
  const bounds = boundsOf(definition);
  const { constraints, source } = patternOf(definition);
  if (bounds.length + constraints.length === 0) return type;
  return {
    ...type,
    constraints: (field: FieldOptions) => [...type.constraints(field), ...bounds, ...constraints],
    schema: (field) => ({ ...type.schema(field), ...(source !== undefined && { pattern: source }) }),
  };
}

/** SQL of the value of a custom field. */
function valueIn({ type, storedAs }: CustomDefinition): (alias: string) => string {
  const at = `'${storedAs}'`;
  if (type === 'tags') return (t) => `ARRAY(SELECT jsonb_array_elements_text(${t}.${CUSTOM_COLUMN}->${at}))`;
  const cast = CASTS[type];
  return (t) => `(${t}.${CUSTOM_COLUMN}->>${at})${cast === undefined ? '' : `::${cast}`}`;
}

/**
 * A custom field as a field of its records. Filters, validation, SQL and schema are those of every other field.
 * @param target the class of the records that it refers to
 */
export function customFieldOf(
  definition: CustomDefinition,
  target: (() => Class) | undefined,
  isTargetHidden = false,
): StoredField {
  const { key, label, description, type, choices, required, minimum, maximum } = definition;
  return {
    kind: 'stored',
    property: `${CUSTOM}.${key}`,
    columnName: CUSTOM_COLUMN,
    description: [label, description].filter((part) => part !== null && part !== '').join(': ') || key,
    type: typeOf(definition),
    sql: valueIn(definition),
    required,
    nullable: true,
    readOnly: false,
    example: type === 'choice' ? choices?.[0] : type === 'tags' && choices ? choices.slice(0, 1) : EXAMPLES[type],
    maxLength: type === 'text' || type === 'url' ? MAX_TEXT : undefined,
    values: choices ?? undefined,
    ...(type === 'integer' && {
      min: (minimum as number | null) ?? undefined,
      max: (maximum as number | null) ?? undefined,
    }),
    references: target,
    custom: { definition, isTargetHidden },
  };
}
