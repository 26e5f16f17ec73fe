import { ArrayNotEmpty, IsNotEmpty } from 'class-validator';
import type { FieldType } from '../../fields/types/field-type.js';
import { MAX_ENTRIES, strings } from '../../fields/types/list.js';
import { eachEntry } from '../../fields/types/own-constraint.js';
import { MAX_LINE } from '../../fields/types/text.js';

const trimmed = (entry: unknown): unknown => (typeof entry === 'string' ? entry.trim() : entry);

/** Codes as a scanner reads them. They are trimmed, and must not be empty then. */
export const codes: FieldType = {
  ...strings,
  constraints: (declaration) => [
    ...strings.constraints(declaration),
    ArrayNotEmpty({ message: 'must have at least one entry' }),
    IsNotEmpty(eachEntry('must not be blank', (entry) => entry !== '')),
  ],
  transform: (value) => (Array.isArray(value) ? value.map(trimmed) : value),
  schema: () => ({
    type: 'array',
    minItems: 1,
    maxItems: MAX_ENTRIES,
    items: { type: 'string', minLength: 1, maxLength: MAX_LINE, pattern: String.raw`\S` },
  }),
};
