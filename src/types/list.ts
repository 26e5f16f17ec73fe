import { checked, type FieldType } from './field-type.js';
import { anyText, choiceFault, MAX_LINE, storable, textFault } from './text.js';

const MAX_ENTRIES = 1000;

/** A list of texts. Each is one of a closed set where `values` are given. */
export const strings: FieldType = {
  column: () => ({ type: 'text', array: true }),
  read: checked((value, { values, maxLength = MAX_LINE }) => {
    if (!Array.isArray(value)) return 'must be an array of strings';
    if (value.length > MAX_ENTRIES) return `must have at most ${MAX_ENTRIES} entries`;
    for (const [index, entry] of value.entries()) {
      const fault = values ? choiceFault(entry, values) : textFault(entry, { maxLength });
      if (fault) return `${fault} (entry ${index})`;
    }
    return undefined;
  }),
  schema: ({ values, maxLength = MAX_LINE }) => ({
    type: 'array',
    maxItems: MAX_ENTRIES,
    items: values ? { type: 'string', enum: values } : { type: 'string', maxLength },
  }),
  filterSchema: ({ values }) => (values ? { type: 'string', enum: values } : anyText()),
  sqlType: 'text',
  parse: (raw, { values }) => (values && !values.includes(raw) ? undefined : storable(raw)),
  expects: 'one of the allowed values',
  // A JSON array, or texts between commas.
  fromText(text) {
    if (text.trim() === '') return [];
    if (!text.trimStart().startsWith('[')) return text.split(',').map((entry) => entry.trim());
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  },
  operators: [],
};
