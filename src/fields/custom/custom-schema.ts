import type { FurtherProperty } from '../../openapi/body.js';
import { named, SCHEMA_NAME } from '../../openapi/schema.js';
import type { Class, StoredField } from '../field.js';
import { detailsOf } from '../naming.js';
import { capital } from '../words.js';
import { Invalid } from '../types/field-type.js';
import { readValue } from '../validation.js';
import { CUSTOM } from './custom-field.js';
import { keyOf } from './custom-values.js';

type Schema = Record<string, unknown>;

const DESCRIPTION = 'Values of the fields that the installation has defined, by key';

/** The schema, or null. Null is not one of the values, because client generators want values of one type. */
export function orNull({ type, ...schema }: Schema): Schema {
  const isNamed = SCHEMA_NAME in schema;
  return typeof type === 'string' && (isNamed || !('enum' in schema))
    ? { type: [type, 'null'], ...schema }
    : { anyOf: [{ type, ...schema }, { type: 'null' }] };
}

/**
 * The schema of a definition's values. It can be long, and bodies, responses and summaries of several resources use it. So they refer
 * to one schema.
 */
export function valuesOf(field: StoredField, inBody = false): Schema {
  const { schema, requestSchema } = field.type;
  const name = `CustomValue${capital(field.custom!.definition.storedAs.replace('#', '_'))}`;
  const { description } = field;
  return inBody && requestSchema
    ? named({ name: `${name}InBody`, whole: true }, { allOf: [requestSchema(field)], description })
    : named({ name, whole: true }, { ...schema(field), description });
}

/** A reference to a schema, or null. */
export const referOrNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

/** The schema of an object with the values of custom fields. */
function objectOf(
  name: string,
  fields: readonly StoredField[],
  schemaOf: (field: StoredField) => Schema,
  required: readonly string[] = [],
): Schema {
  const properties = Object.fromEntries(fields.map((field) => [keyOf(field), schemaOf(field)]));
  return named(
    { name: `${name}CustomFields`, description: DESCRIPTION },
    { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false },
  );
}

/** The record that a custom field refers to, or null. Its name is null if the caller may not read it. */
export const referredTo = (target: Class, description: string): Schema => ({
  type: ['object', 'null'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: ['string', 'null'] },
    ...Object.fromEntries(detailsOf(target).map((detail) => [detail.property, orNull(detail.type.schema(detail))])),
  },
  required: ['id', 'name'],
  description,
});

/** The custom values in a response, with what `expand` adds to it. */
export function customInResponse(record: string, fields: readonly StoredField[]): Record<string, FurtherProperty> {
  if (fields.length === 0) return {};
  const expanded = fields.flatMap(({ property, references }): [string, FurtherProperty][] => {
    if (!references) return [];
    const description = `The record that \`${property}\` refers to; only with \`expand=${property}\``;
    return [[property, { schema: referredTo(references(), description) }]];
  });
  const schema = objectOf(record, fields, (field) => valuesOf(field));
  return { [CUSTOM]: { schema, required: true }, ...Object.fromEntries(expanded) };
}

/** The custom values in a body. @param isNew whether it makes a record */
export function customInBody(
  body: string,
  fields: readonly StoredField[],
  isNew: boolean,
): Record<string, FurtherProperty> {
  if (fields.length === 0) return {};
  const isNeeded = ({ custom }: StoredField): boolean =>
    isNew && custom!.definition.required && custom!.definition.default === null;
  const needed = fields.filter(isNeeded).map(keyOf);
  const schema = objectOf(
    body,
    fields,
    (field) => (field.required ? valuesOf(field, true) : referOrNull(valuesOf(field, true))),
    needed,
  );
  return { [CUSTOM]: { schema, required: needed.length > 0 } };
}

/** The custom values in the example of a create body: one valid value for each field. */
export function customExample(fields: readonly StoredField[], isNew: boolean): Record<string, object> {
  if (!isNew || fields.length === 0) return {};
  const values = fields.flatMap((field) => {
    if (field.references) return [];
    const { default: fallback, minimum, maximum } = field.custom!.definition;
    const value = [fallback, field.example, minimum, maximum].find(
      (one) => one !== null && one !== undefined && !(readValue(one, field) instanceof Invalid),
    );
    return value === undefined ? [] : [[keyOf(field), value] as const];
  });
  return values.length > 0 ? { [CUSTOM]: Object.fromEntries(values) } : {};
}
