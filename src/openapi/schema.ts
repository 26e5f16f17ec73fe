import type { Deprecation } from '../http/deprecation.js';

/** A class whose properties have schemas. */
export type Model = abstract new (...args: never[]) => object;

/** How a query parameter is documented. */
export interface DocumentedParameter {
  name: string;
  description: string;
  /** JSON schema of one value. */
  schema: Record<string, unknown>;
  /** Name of the schema of its closed set of values. */
  enumName?: string;
  /** May be repeated. */
  many: boolean;
  /** How often it may be given, if that is limited. */
  most?: number;
  required?: true;
  /** Its values may also be given as one, separated by commas. */
  separated?: true;
  /** False if it is accepted but has no effect, for example `__empty` of a field that is never null. */
  documented?: boolean;
  /** The filter to which this operator belongs, as `name` to `name__ic`. */
  operatorOf?: string;
  deprecated?: Deprecation;
}

/** A component schema: its name, and the description of all its uses. */
export interface SchemaName {
  name: string;
  description?: string;
  examples?: readonly unknown[];
  /** All uses are equal, so each is only a reference. */
  whole?: true;
}

/** Extension for the schema of an id without a field: the resource to which the id belongs. */
export const REFERENCES = 'x-references';

/** Schema of the id of a record, for ids without a field. */
export const idOf = (resource: string): { type: 'string'; format: string } => {
  const schema = { type: 'string' as const, format: 'uuid', [REFERENCES]: resource };
  return schema;
};

/** Key of a schema's name until the document is written. */
export const SCHEMA_NAME = 'x-schema-name';

/** Names a schema. The document has it once, and every use refers to it. */
export const named = (name: SchemaName, schema: Record<string, unknown>): Record<string, unknown> => ({
  ...schema,
  [SCHEMA_NAME]: name,
});

/** The id in examples. */
export const EXAMPLE_ID = '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90';
