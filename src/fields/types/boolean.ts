import { IsBoolean } from 'class-validator';
import type { FieldType } from './field-type.js';

export const boolean = {
  column: () => ({ type: 'boolean' }),
  constraints: () => [IsBoolean({ message: 'must be true or false' })],
  schema: () => ({ type: 'boolean' }),
  sqlType: 'boolean',
  parse: (raw) => (raw === 'true' ? true : raw === 'false' ? false : undefined),
  expects: 'true or false',
  // Spreadsheets write them in capitals.
  fromText: (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text),
  operators: [],
} satisfies FieldType;
