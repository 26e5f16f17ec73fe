import { named } from '../../openapi/schema.js';
import type { FieldType } from './field-type.js';
import { textConstraint } from './own-constraint.js';

/** The value of a JSON text, or the text if it is not JSON. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const IsObjectText = textConstraint('isObjectText', (text) => text.startsWith('{'), 'must be an object');

/** A JSON object. In a body it is read as text, so that nothing in it is interpreted. Lists have no filter for it. */
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

/** A value of a custom field. In a body it is read as JSON text. The definition decides which values are valid. */
export const jsonValue: FieldType = {
  ...jsonObject,
  constraints: () => [],
  schema: () =>
    named(
      { name: 'CustomFieldValue', description: 'Value of a custom field, of the type that its definition says' },
      {
        anyOf: [
          { type: 'string' },
          { type: 'integer' },
          { type: 'boolean' },
          { type: 'array', items: { type: 'string' } },
        ],
      },
    ),
  expects: 'a value',
};
