// Sample records of every schema in the OpenAPI 3.0 document, which a generated client must read and write without loss.

/** Contents of a sample: every property, as few as possible, or every property at its upper bound. */
const KINDS = ['full', 'bare', 'most'];

/** Samples by the name of their schema. */
export function samples({ components: { schemas } }) {
  const resolve = (schema) => {
    const [{ $ref } = schema] = schema.allOf ?? [];
    return $ref ? { ...schemas[$ref.split('/').at(-1)], ...schema } : schema;
  };
  const sample = (declared, kind) => {
    const schema = resolve(declared);
    // Clients fill in the documented defaults.
    if (kind === 'bare' && schema.default !== undefined) return schema.default;
    if (kind === 'bare' && schema.nullable) return null;
    if (kind === 'most' && schema.maximum !== undefined && schema.exclusiveMaximum !== true) return schema.maximum;
    if (schema.example !== undefined) return schema.example;
    if (schema.enum) return schema.enum.at(kind === 'most' ? -1 : 0) ?? schema.enum[0];
    switch (schema.type) {
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(
              ([name, { default: value }]) => kind !== 'bare' || value !== undefined || schema.required?.includes(name),
            )
            .map(([name, property]) => [name, sample(property, kind)]),
        );
      case 'array':
        return kind === 'bare' ? [] : [sample(schema.items, kind)];
      case 'integer':
      case 'number':
        return schema.minimum ?? 1;
      case 'boolean':
        return true;
      default:
        return text(schema);
    }
  };
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([, schema]) => schema.type === 'object' && schema.properties)
      // A nullable schema is null where it is part of another one, which has samples of its own.
      .map(([name, schema]) => [name, KINDS.map((kind) => sample({ ...schema, nullable: false }, kind))]),
  );
}

function text({ format, minLength = 1 }) {
  if (format === 'date-time') return '2026-03-02T09:30:00Z';
  if (format === 'date') return '2026-03-02';
  if (format === 'uuid') return '6f1c1f0a-3b0e-4a52-9c59-0b1c2d3e4f50';
  return 'x'.repeat(minLength);
}
