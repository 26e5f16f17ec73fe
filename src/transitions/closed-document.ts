import { hasOwnMoves, movableResources } from '../fields/movable.js';
import type { Json } from '../openapi/document/json.js';
import type { ClosedField } from './closed-values.js';

/** The schemas with a field of a resource: both bodies, and the response, which may still show a former value. */
const SCHEMAS = [
  ['Create', true],
  ['Update', true],
  ['', false],
] as const;

const listed = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ');

/** Lists the values of closed fields in the document of an installation. */
export function closeFields(document: object, closed: readonly ClosedField[]): void {
  const { components, paths } = document as { components: { schemas: Json }; paths: Record<string, Json> };
  const examples = new Map<string, Json[]>();
  for (const content of contentsOf(paths)) {
    const name = String((content.schema as Json | undefined)?.$ref)
      .split('/')
      .at(-1)!;
    if (content.example !== undefined) examples.set(name, [...(examples.get(name) ?? []), content.example as Json]);
  }
  for (const { resource, field, values, initial } of closed) {
    const record = movableResources().get(resource);
    if (!record || hasOwnMoves(record)) continue;
    for (const [kind, isBody] of SCHEMAS) {
      const name = `${kind}${record.name}`;
      const property = ((components.schemas[name] as Json | undefined)?.properties as Json | undefined)?.[
        field
      ] as Json;
      if (property === undefined) continue;
      const usual = kind === 'Create' ? (initial[0] ?? values[0]!) : values[0]!;
      close(property, values, usual, isBody);
      for (const example of examples.get(name) ?? []) {
        if (field in example && !values.includes(example[field] as string)) example[field] = usual;
      }
    }
  }
}

/** @param usual value of an example */
function close(property: Json, values: readonly string[], usual: string, isBody: boolean): void {
  const [sentence] = String(property.description).split('. Usual values: ');
  property.description = `${sentence}. Values: ${listed(values)}, by the transitions of the installation`;
  if (!values.includes(property.example as string)) property.example = usual;
  if (!isBody) return;
  const isNullable = Array.isArray(property.type) && property.type.includes('null');
  property.enum = isNullable ? [...values, null] : [...values];
  delete property.pattern;
  delete property.maxLength;
  if (property.default !== undefined && !values.includes(property.default as string)) delete property.default;
}

/** What the bodies of all operations contain. */
const contentsOf = (paths: Record<string, Json>): Json[] =>
  Object.values(paths)
    .flatMap((operations) => Object.values(operations) as Json[])
    .flatMap(
      ({ requestBody }) =>
        Object.values(((requestBody as Json | undefined)?.content as Json | undefined) ?? {}) as Json[],
    );
