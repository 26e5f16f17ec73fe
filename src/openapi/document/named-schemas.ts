import { isDeepStrictEqual } from 'node:util';
import { SCHEMA_NAME, type SchemaName } from '../schema.js';
import { ref, type Json } from './json.js';

/** Schemas that have a name, which others refer to: closed sets of values, and dates. */
export class NamedSchemas {
  constructor(private readonly schemas: Json) {}

  /** Replaces schemas that have a name by references. */
  replaceIn(at: Json): void {
    for (const [key, value] of Object.entries(at)) {
      if (typeof value !== 'object' || value === null) continue;
      const { [SCHEMA_NAME]: name, ...schema } = value as Json;
      this.replaceIn(name === undefined ? (value as Json) : schema);
      if (name !== undefined) at[key] = this.refer(name as SchemaName, schema);
    }
  }

  /** A reference to a named schema, with the description of this use. */
  refer({ name, whole, ...said }: SchemaName, schema: Json): Json {
    const reference = ref('schemas', name);
    const { description, example, default: fallback, readOnly, type, ...shape } = schema;
    if (whole) {
      const all = {
        type,
        description,
        ...(example !== undefined && { examples: [example] }),
        readOnly,
        ...shape,
      };
      this.schemas[name] ??= all;
      if (!isDeepStrictEqual(this.schemas[name], all)) throw new Error(`Two schemas are called ${name}`);
      return reference;
    }
    const types = [type].flat();
    this.schemas[name] ??= { type: types.find((one) => one !== 'null'), ...shape, ...said };
    const use = Object.fromEntries(
      Object.entries({ description, example, default: fallback, readOnly }).filter(([, value]) => value !== undefined),
    );
    if (types.includes('null')) return { ...use, anyOf: [reference, { type: 'null' }] };
    return Object.keys(use).length > 0 ? { allOf: [reference], ...use } : reference;
  }
}
