import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsArray, IsInt, isInt, Max, Min } from 'class-validator';
import { TypedField, type Options } from '../../fields/fields.js';
import type { FieldType } from '../../fields/types/field-type.js';
import { jsonOrText } from '../../fields/types/json.js';
import { integer } from '../../fields/types/number.js';
import { eachEntry } from '../../fields/types/own-constraint.js';

/** A number after the unit ends a range. */
const LAST_UNIT = 2_147_483_646;
const MOST_UNITS = 1000;

const unit: FieldType = {
  ...integer,
  constraints: () => integer.constraints({ min: 1, max: LAST_UNIT }),
  schema: () => integer.schema({ min: 1, max: LAST_UNIT }),
};

const A_UNIT = `must be an integer between 1 and ${LAST_UNIT}`;
const isUnit = (entry: unknown): boolean => isInt(entry) && Number(entry) >= 1 && Number(entry) <= LAST_UNIT;

/** A list of whole rack units, each once. */
const wholeUnits: FieldType = {
  column: () => ({ type: 'integer', array: true }),
  constraints: () => [
    IsArray({ message: 'must be an array of whole units' }),
    ArrayNotEmpty({ message: 'must have at least one unit' }),
    ArrayMaxSize(MOST_UNITS, { message: `must have at most ${MOST_UNITS} units` }),
    IsInt(eachEntry('must be an integer', isInt)),
    Min(1, eachEntry(A_UNIT, isUnit)),
    Max(LAST_UNIT, eachEntry(A_UNIT, isUnit)),
    ArrayUnique({ message: 'must have each unit once' }),
  ],
  schema: () => ({ type: 'array', minItems: 1, maxItems: MOST_UNITS, uniqueItems: true, items: unit.schema({}) }),
  filterSchema: () => unit.schema({}),
  entry: () => unit,
  sqlType: 'integer',
  parse: (raw) => integer.parse(raw, {}),
  expects: 'a 32-bit integer',
  // A JSON array, or numbers between commas.
  fromText: (text) =>
    text.trimStart().startsWith('[')
      ? jsonOrText(text)
      : text.split(',').map((entry) => integer.fromText!(entry.trim())),
  operators: [],
};

/** Whole units of a rack, counted from 1 at the bottom. */
export const WholeUnitsField = (description: string, options: Options = {}): PropertyDecorator =>
  TypedField(wholeUnits, description, { required: true, example: [40, 41], ...options });
