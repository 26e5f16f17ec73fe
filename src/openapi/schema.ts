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
  /** False if it is accepted but cannot narrow a list, for example `__empty` of a field that is never null. */
  documented?: boolean;
  /** The filter that this is an operator of, as `name` is of `name__ic`. */
  operatorOf?: string;
  deprecated?: Deprecation;
}

/** A schema among the components: its name, and the description of all its uses. */
export interface SchemaName {
  name: string;
  description?: string;
  examples?: readonly unknown[];
  /** All uses are equal, so each is only a reference. */
  whole?: true;
}

/** Extension of the schema of an id that no field declares: the resource that it belongs to. */
export const REFERENCES = 'x-references';

/** Schema of the id of a record of a resource, where no field declares it. */
export const idOf = (resource: string): { type: 'string'; format: string } => {
  const schema = { type: 'string' as const, format: 'uuid', [REFERENCES]: resource };
  return schema;
};

/** Key under which a schema keeps its name until the document is written. */
export const SCHEMA_NAME = 'x-schema-name';

/** Names a schema. The document has it once, and every use refers to it. */
export const named = (name: SchemaName, schema: Record<string, unknown>): Record<string, unknown> => ({
  ...schema,
  [SCHEMA_NAME]: name,
});

/** The id in examples. */
export const EXAMPLE_ID = '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90';
