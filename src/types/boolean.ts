import { checked, type FieldType } from './field-type.js';

export const boolean: FieldType = {
  column: () => ({ type: 'boolean' }),
  read: checked((value) => (typeof value === 'boolean' ? undefined : 'must be true or false')),
  schema: () => ({ type: 'boolean' }),
  sqlType: 'boolean',
  parse: (raw) => (raw === 'true' ? true : raw === 'false' ? false : undefined),
  expects: 'true or false',
  // Spreadsheets write them in capitals.
  fromText: (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text),
  operators: [],
};
