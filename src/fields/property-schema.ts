import type { ApiPropertyOptions } from '@nestjs/swagger';
import { withDeprecation } from '../http/deprecation.js';
import { SCHEMA_NAME } from '../openapi/schema.js';
import { joinedFrom, mostOf, type BodyField, type Class, type Field, type StoredField } from './field.js';

/** The description of a stored field, with its usual values. */
function describe({ description, knownValues }: StoredField): string {
  const sentence = description.replace(/\.$/, '');
  if (!knownValues) return sentence;
  return `${sentence}. Usual values: ${knownValues.map((value) => `\`${value}\``).join(', ')}; others are accepted`;
}

function valueSchema(field: StoredField, schema = field.type.schema(field)): Record<string, unknown> {
  const { values, enumName } = field;
  if (!values || !enumName) return schema;
  return schema.type === 'array'
    ? { enum: values, enumName, isArray: true, maxItems: schema.maxItems }
    : { enum: values, enumName };
}

/** The property of a field in the responses of its record. */
export function responseSchema(record: Class, field: Field): ApiPropertyOptions {
  return { ...shownSchema(record, field), ...deprecationOf(field) } as ApiPropertyOptions;
}

function shownSchema(record: Class, field: Field): ApiPropertyOptions {
  const { description } = field;
  const nullable = (field.kind !== 'parts' && field.nullable) || undefined;
  switch (field.kind) {
    case 'stored':
      return {
        ...valueSchema(field),
        description: describe(field),
        example: field.example,
        required: !field.shownIfSet,
        nullable: field.shownIfSet ? undefined : nullable,
        readOnly: field.readOnly || undefined,
      } as ApiPropertyOptions;
    case 'joined':
      return {
        // The joined record may not be loaded yet.
        type: () => jsonType(joinedFrom(record, field).field),
        ...(field.schemaName !== undefined && { [SCHEMA_NAME]: { name: field.schemaName, whole: true } }),
        description,
        example: field.example,
        required: true,
        nullable,
        readOnly: true,
      } as ApiPropertyOptions;
    case 'computed':
      return { description, required: true, nullable, readOnly: true, ...field.schema } as ApiPropertyOptions;
    case 'parts':
      return { description, required: true, type: () => field.response(), isArray: true };
  }
}

const jsonType = (field: StoredField): unknown => field.type.schema(field).type;

/** The property of a field in a request body. */
export function requestSchema(field: BodyField): ApiPropertyOptions {
  return { ...takenSchema(field), ...deprecationOf(field) } as ApiPropertyOptions;
}

/** The description of a deprecated field. */
function deprecationOf(field: Field | BodyField): { deprecated?: true; description?: string } {
  const { deprecated, description } = field;
  if (!deprecated) return {};
  const says = field.kind === 'stored' ? describe(field) : description;
  return { deprecated: true, description: withDeprecation(deprecated, says) };
}

function takenSchema(field: BodyField): ApiPropertyOptions {
  if (field.kind === 'parts') {
    const { description, body, min, required } = field;
    return {
      description,
      required,
      type: () => body(),
      isArray: true,
      minItems: min,
      maxItems: mostOf(field),
    };
  }
  return {
    ...valueSchema(field, field.type.requestSchema?.(field)),
    description: describe(field),
    example: field.example,
    required: field.required,
    nullable: field.nullable || undefined,
    default: field.default,
    writeOnly: field.writeOnly || undefined,
  } as ApiPropertyOptions;
}
