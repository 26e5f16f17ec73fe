import type { FieldType } from './field-type.js';
import { textConstraint } from './own-constraint.js';

const IsObjectText = textConstraint('isObjectText', (text) => text.startsWith('{'), 'must be an object');

/** A JSON object. In a body it is read as its text, so that nothing in it is taken for anything else. No list is filtered by it. */
export const jsonObject: FieldType = {
  isJson: true,
  column: () => ({ type: 'jsonb' }),
  constraints: () => [IsObjectText()],
  schema: () => ({ type: 'object', additionalProperties: true }),
  sqlType: 'jsonb',
  parse: () => undefined,
  expects: 'an object',
  operators: [],
};

/** A JSON value of any kind. In a body it is read as its text. Who uses it says which values it takes. */
export const jsonValue: FieldType = { ...jsonObject, constraints: () => [], schema: () => ({}), expects: 'a value' };
