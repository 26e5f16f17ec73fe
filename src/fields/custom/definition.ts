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

/** A field that an installation has defined, as its row says it. */
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
  /** The three are JSON values in the stored form of the type. */
  default: unknown;
  minimum: unknown;
  maximum: unknown;
  pattern: string | null;
  searched: boolean;
  position: number;
  /** Key of the stored values: the key of the field, with a number if an earlier field had the same key. */
  storedAs: string;
}

/** What is known of a custom field besides what every field has. */
export interface CustomOptions {
  definition: CustomDefinition;
  /** Whether the caller may not read the records that it refers to: their names are null. */
  isTargetHidden: boolean;
}
