import { ArrayMaxSize, IsArray, IsString, isString } from 'class-validator';
import type { FieldType } from './field-type.js';
import { jsonOrText } from './json.js';
import { eachEntry, ownConstraint } from './own-constraint.js';
import {
  anyText,
  enumeration,
  isNoLonger,
  isStorable,
  IsStorableText,
  MAX_LINE,
  MaxCodePoints,
  MUST_BE_STORABLE,
  oneOf,
  storable,
  text as anyLength,
  tooLong,
} from './text.js';

export const MAX_ENTRIES = 1000;

function eachOneOf(values: readonly string[]): PropertyDecorator {
  const known = new Set<unknown>(values);
  const isKnown = (entry: unknown): boolean => known.has(entry);
  return ownConstraint('isIn', isKnown)(eachEntry(oneOf(values), isKnown));
}

const eachLine = (maxLength: number): PropertyDecorator[] => [
  IsString(eachEntry('must be a string', isString)),
  MaxCodePoints(
    maxLength,
    eachEntry(tooLong(maxLength), (entry) => isNoLonger(entry as string, maxLength)),
  ),
  IsStorableText(eachEntry(MUST_BE_STORABLE, (entry) => isStorable(entry as string))),
];

/** A list of texts. Each is one of a closed set where `values` are given. */
export const strings: FieldType = {
  column: () => ({ type: 'text', array: true }),
  constraints: ({ values, maxLength = MAX_LINE }) => [
    IsArray({ message: 'must be an array of strings' }),
    ArrayMaxSize(MAX_ENTRIES, { message: `must have at most ${MAX_ENTRIES} entries` }),
    ...(values ? [eachOneOf(values)] : eachLine(maxLength)),
  ],
  schema: ({ values, maxLength = MAX_LINE }) => ({
    type: 'array',
    maxItems: MAX_ENTRIES,
    items: values
      ? { type: 'string', enum: values }
      : { type: 'string', maxLength, description: 'Stored unchanged; an empty text is an entry too' },
  }),
  filterSchema: ({ values }) => (values ? { type: 'string', enum: values } : anyText()),
  entry: ({ values }) => (values ? enumeration : { ...anyLength, constraints: () => anyLength.constraints({}) }),
  sqlType: 'text',
  parse: (raw, { values }) => (values && !values.includes(raw) ? undefined : storable(raw)),
  expects: 'one of the allowed values',
  // A JSON array, or texts between commas.
  fromText(text) {
    if (text.trim() === '') return [];
    return text.trimStart().startsWith('[') ? jsonOrText(text) : text.split(',').map((entry) => entry.trim());
  },
  operators: [],
};

/** A list of texts without duplicates. */
export const set: FieldType = {
  ...strings,
  transform: (value) => (Array.isArray(value) ? [...new Set(value)] : value),
};
