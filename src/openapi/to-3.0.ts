import { capital } from '../kernel/words.js';

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  schema: Json;
}
type PathItem = Record<string, { parameters: (Parameter | { $ref: string })[] }>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === 'null';

/**
 * The document in OpenAPI 3.0.3, for generators that do not read 3.1: the same operations and schemas in the older words
 * for what may be null, for constants, for open bounds, for examples and for what stands beside a reference.
 */
export function toOpenApi30(document: object): object {
  const { jsonSchemaDialect: _, webhooks: _w, ...rest } = structuredClone(document) as Json;
  const converted: Json = { ...(convert(rest) as Json), openapi: '3.0.3' };
  const { components, paths } = converted as unknown as {
    components: { schemas: Record<string, Json>; parameters: Record<string, Parameter> };
    paths: Record<string, PathItem>;
  };
  typeNullables(converted, components.schemas);
  for (const { schema } of Object.values(components.parameters)) plainTimes(schema);
  converted.paths = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => distinctNames(path, item, components.parameters)),
  );
  return converted;
}

/**
 * A filter takes several times as plain strings. Go's generator gives a list of its own times, whose code does not
 * compile where no other parameter is a time, and which are sent in a form that is not RFC 3339.
 */
function plainTimes({ items }: Json): void {
  if (isObject(items) && items.format === 'date-time') delete items.format;
}

/**
 * An operation's parameters share one name space in the generated clients, in which the record of the path would be
 * lost to the filter of its name: a list of what is in a record has the record as `pathId`, and the filter as `id`.
 */
function distinctNames(path: string, item: PathItem, shared: Record<string, Parameter>): [string, PathItem] {
  const parameters = Object.values(item).flatMap((operation) =>
    operation.parameters.map((entry) => ('$ref' in entry ? shared[entry.$ref.split('/').at(-1)!]! : entry)),
  );
  const filters = new Set(parameters.filter((entry) => entry.in === 'query').map(({ name }) => name));
  const distinct = (name: string): string => (filters.has(name) ? `path${capital(name)}` : name);
  for (const parameter of parameters) if (parameter.in === 'path') parameter.name = distinct(parameter.name);
  return [path.replace(/\{(\w+)\}/g, (_, name: string) => `{${distinct(name)}}`), item];
}

/** In 3.0 `nullable` says something only beside a `type`: that of what is referred to. */
function typeNullables(value: unknown, schemas: Record<string, Json>): void {
  if (typeof value !== 'object' || value === null) return;
  const { nullable, type, allOf } = value as Json;
  if (nullable === true && type === undefined && Array.isArray(allOf)) {
    const [{ $ref }] = allOf as [{ $ref: string }];
    (value as Json).type = schemas[$ref.split('/').at(-1)!]!.type;
  }
  for (const entry of Object.values(value)) typeNullables(entry, schemas);
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (!isObject(value)) return value;
  const converted = Object.fromEntries(
    // Examples are data, in which `type` or `const` are words like any other.
    Object.entries(value).map(([key, entry]) => [key, key === 'example' || key === 'default' ? entry : convert(entry)]),
  );
  return isSchema(converted) ? olderSchema(converted) : converted;
}

/** Schemas are what has these words; a property may be called `type`, but is a schema itself, and so no word. */
const isSchema = (value: Json): boolean =>
  typeof value.type === 'string' ||
  Array.isArray(value.type) ||
  typeof value.$ref === 'string' ||
  'const' in value ||
  Array.isArray(value.anyOf) ||
  Array.isArray(value.oneOf);

function olderSchema(value: Json): Json {
  const { type, const: constant, examples, exclusiveMinimum, exclusiveMaximum, ...kept } = value;
  const result: Json = kept;
  // It goes without saying; said, it makes generators take the values for objects.
  if (result.additionalProperties === true) delete result.additionalProperties;
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null');
    if (types.length < type.length) result.nullable = true;
    if (types.length === 1) result.type = types[0] as unknown;
    else result.anyOf = types.map((name) => ({ type: name as unknown }));
  } else if (type !== undefined) result.type = type;
  if (result.nullable && Array.isArray(result.enum)) result.enum = [...new Set([...(result.enum as unknown[]), null])];
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
    result.nullable = true;
    delete result[choice];
    if (others.length > 1) result[choice] = others;
    else if (others[0]?.$ref) result.allOf = others;
    else Object.assign(result, others[0]);
  }
  const { $ref, ...siblings } = result;
  return $ref !== undefined && Object.keys(siblings).length > 0 ? { ...siblings, allOf: [{ $ref }] } : result;
}
