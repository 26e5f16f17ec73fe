/** Types of custom fields. */
export const CUSTOM_TYPES = [
  'text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'dateTime',
  'url',
  'choice',
  'tags',
  'reference',
] as const;
