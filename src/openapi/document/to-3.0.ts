import type { Components, Json } from './json.js';
import { referredTo } from './slim.js';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === 'null';

/**
 * The document in OpenAPI 3.0.3, for generators that do not read 3.1. It has the same operations and schemas, with the older
 * keywords for null, constants, exclusive bounds, examples and siblings of a reference.
 */
export function toOpenApi30(document: object): object {
  const { jsonSchemaDialect: _, webhooks: _webhooks, ...rest } = structuredClone(document) as Json;
  const converted: Json = { ...(convert(withUsed(rest)) as Json), openapi: '3.0.3' };
  const { schemas } = converted.components as { schemas: Record<string, Json> };
  new Nullables(converted, schemas).admitNull();
  for (const schema of Object.values(schemas)) mergeChoice(schema, schemas);
  return withUsed(converted);
}

/** The document without components that no operation refers to. */
const withUsed = ({ components, ...rest }: Json): Json => ({
  ...rest,
  components: referredTo(rest.paths as Json, components as Components),
});

/**
 * Turns a choice of objects into one object with all properties. A property is required if all of the objects require it. Generators of
 * 3.0 do the same, but require what the first object requires, and then refuse the others.
 */
function mergeChoice(schema: Json, schemas: Record<string, Json>): void {
  const choices = ((schema.anyOf ?? []) as Json[]).map(({ $ref }) => schemas[nameIn($ref)] ?? {});
  const [first] = choices;
  if (!first || !choices.every(({ type }) => type === 'object')) return;
  delete schema.anyOf;
  schema.type = 'object';
  schema.properties = Object.assign({}, ...choices.map(({ properties }) => properties).toReversed());
  const required = (first.required as string[]).filter((name) =>
    choices.every((choice) => (choice.required as string[]).includes(name)),
  );
  // In 3.0 an empty list is not allowed.
  if (required.length > 0) schema.required = required;
  const open = choices.find(({ additionalProperties }) => additionalProperties);
  if (open) schema.additionalProperties = open.additionalProperties;
}

/** A reference in a nullable schema. */
interface Use {
  schema: Json;
  name: string;
}

/**
 * In 3.0 a reference admits null only if the referenced schema does, regardless of its siblings. If all uses of a schema are nullable,
 * the schema becomes nullable. If only some are, these get a nullable copy: `DeviceRoleTierOrNull` of `DeviceRoleTier`.
 */
class Nullables {
  private readonly nullable: Use[] = [];
  /** Schemas with a use that does not admit null. */
  private readonly plain = new Set<string>();

  constructor(
    document: Json,
    private readonly schemas: Record<string, Json>,
  ) {
    this.find(document);
  }

  private find(value: unknown): void {
    if (Array.isArray(value)) for (const entry of value) this.find(entry);
    if (!isObject(value)) return;
    const { nullable, $ref, allOf, ...rest } = value;
    const [only] = Array.isArray(allOf) ? (allOf as Json[]) : [];
    if (nullable === true && only) this.nullable.push({ schema: value, name: nameIn(only.$ref) });
    else this.find(allOf);
    if (typeof $ref === 'string') this.plain.add(nameIn($ref));
    for (const entry of Object.values(rest)) this.find(entry);
  }

  admitNull(): void {
    for (const { schema, name } of this.nullable) {
      const twin = this.plain.has(name) ? `${name}OrNull` : name;
      const admitting = (this.schemas[twin] ??= structuredClone(this.schemas[name]!));
      allowNull(admitting);
      if (Array.isArray(admitting.enum)) admitting.enum = [...new Set([...(admitting.enum as unknown[]), null])];
      if (admitting.type === undefined) delete schema.nullable;
      else schema.type = admitting.type;
      schema.allOf = [{ $ref: `#/components/schemas/${twin}` }];
    }
  }
}

/** `nullable` has an effect only beside a `type`. In a choice, the entries admit null. */
function allowNull(schema: Json): void {
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) for (const entry of choices) entry.nullable = true;
  else schema.nullable = true;
}

const nameIn = (reference: unknown): string => String(reference).split('/').at(-1)!;

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (!isObject(value)) return value;
  const converted = Object.fromEntries(
    // Examples are data, in which `type` and `const` are ordinary names.
    Object.entries(value).map(([key, entry]) => [key, key === 'example' || key === 'default' ? entry : convert(entry)]),
  );
  return isSchema(converted) ? olderSchema(converted) : converted;
}

/** Keywords that mark an object as a schema. A property may be named `type`, but its value is a schema, not a keyword's. */
const isSchema = (value: Json): boolean =>
  typeof value.type === 'string' ||
  Array.isArray(value.type) ||
  typeof value.$ref === 'string' ||
  'const' in value ||
  Array.isArray(value.anyOf) ||
  Array.isArray(value.oneOf);

function olderSchema(value: Json): Json {
  const { type, const: constant, examples, exclusiveMinimum, exclusiveMaximum, propertyNames: _, ...kept } = value;
  const result: Json = kept;
  // It is the default. If it is explicit, generators treat the values as objects.
  if (result.additionalProperties === true) delete result.additionalProperties;
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null');
    if (types.length === 1) result.type = types[0] as unknown;
    else result.anyOf = types.map((name) => ({ type: name as unknown }));
    if (types.length < type.length) allowNull(result);
  } else if (type !== undefined) result.type = type;
  if (constant !== undefined) result.enum = [constant];
  if (Array.isArray(examples)) result.example = examples[0] as unknown;
  for (const [name, bound] of [
    ['Minimum', exclusiveMinimum],
    ['Maximum', exclusiveMaximum],
  ] as const) {
    if (bound === undefined) continue;
    result[name.toLowerCase()] = bound;
    result[`exclusive${name}`] = true;
  }
  for (const choice of ['anyOf', 'oneOf']) {
    const choices = result[choice];
    if (!Array.isArray(choices) || !choices.some(isNull)) continue;
    const others = choices.filter((entry) => !isNull(entry)) as Json[];
    delete result[choice];
    if (others.length > 1) result[choice] = others;
    else if (others[0]?.$ref) result.allOf = others;
    else Object.assign(result, others[0]);
    allowNull(result);
  }
  const { $ref, ...siblings } = result;
  return $ref !== undefined && Object.keys(siblings).length > 0 ? { ...siblings, allOf: [{ $ref }] } : result;
}
