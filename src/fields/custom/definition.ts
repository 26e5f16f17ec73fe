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

export type CustomType = (typeof CUSTOM_TYPES)[number];

/** The row of a custom field's definition. */
export interface CustomDefinition {
  id: string;
  key: string;
  label: string | null;
  description: string | null;
  resources: readonly string[];
  type: CustomType;
  choices: readonly string[] | null;
  target: string | null;
  required: boolean;
  unique: boolean;
  /** These three are JSON values in the stored form of the type. */
  default: unknown;
  minimum: unknown;
  maximum: unknown;
  pattern: string | null;
  searched: boolean;
  position: number;
  /** Key of the stored values: the key of the field, with a number if an earlier field had the same key. */
  storedAs: string;
}

/** Properties of a custom field that other fields do not have. */
export interface CustomOptions {
  definition: CustomDefinition;
  /** Whether the caller may not read the referenced records. Their names are then null. */
  isTargetHidden: boolean;
}
