import { withDeprecation } from '../../http/deprecation.js';
import { EXAMPLE_ID, type DocumentedParameter } from '../schema.js';
import type { DeclaredOperation } from './declared.js';
import { ref, type Json } from './json.js';
import type { NamedSchemas } from './named-schemas.js';

/** The filter to which an operator parameter belongs. Our Swagger UI folds operators by it. */
export const OPERATOR_OF = 'x-operator-of';

/** A query parameter, with the first record whose operation has it, and the places that refer to it. */
interface Meaning {
  parameter: Json;
  record: string;
  of: 'List' | 'Summary' | 'Record' | 'Query';
  references: Json[];
  /** Number of these in operations of the same kind. An output takes the filters of a list, which keep the names of the list. */
  uses: number;
}

/**
 * The query parameters of an operation that are worth documenting. Two kinds are accepted but have no effect, and are left out:
 * `__empty` of a field that is never null, and filters by a field whose value the path fixes.
 */
export const queryOf = ({ query, fixed = [] }: DeclaredOperation): readonly DocumentedParameter[] =>
  query.filter(({ name, documented = true, operatorOf = name }) => documented && !fixed.includes(operatorOf));

/** The path and query parameters of all operations. Equal ones become one component. */
export class Parameters {
  private readonly inPaths: Record<string, Json> = {};
  /** By name and schema. */
  private readonly inQueries = new Map<string, Map<string, Meaning>>();

  constructor(private readonly schemas: NamedSchemas) {}

  /**
   * A reference to a path parameter, which has the same meaning everywhere.
   * @param described schema and example; those of an id by default
   */
  addInPath(
    name: string,
    described: object = { schema: { type: 'string', format: 'uuid' }, example: EXAMPLE_ID },
  ): Json {
    const key = `Path.${name}`;
    this.inPaths[key] = { name, in: 'path', required: true, ...described };
    return ref('parameters', key);
  }

  /** A reference to a query parameter. Its name is set when all parameters are known. */
  addInQuery(operation: DeclaredOperation, declared: DocumentedParameter): Json {
    const { name, description, many, most, enumName, operatorOf, separated, required, deprecated } = declared;
    const schema = enumName ? this.schemas.refer({ name: enumName }, declared.schema) : declared.schema;
    const parameter: Json = {
      name,
      in: 'query',
      ...(required && { required }),
      ...(deprecated && { deprecated: true }),
      description: withDeprecation(deprecated, description),
      schema: many ? { type: 'array', items: schema, ...(most !== undefined && { maxItems: most }) } : schema,
      ...(separated && { style: 'form', explode: false }),
      ...(operatorOf !== undefined && { [OPERATOR_OF]: operatorOf }),
    };
    const meanings = this.inQueries.get(name) ?? new Map<string, Meaning>();
    this.inQueries.set(name, meanings);
    const key = JSON.stringify(parameter);
    const { list, response, document, summarizes } = operation;
    const of = summarizes ? 'Summary' : list ? 'List' : response && !document ? 'Record' : 'Query';
    const meaning: Meaning = meanings.get(key) ?? {
      parameter,
      record: (summarizes ?? response)?.name ?? '',
      of,
      references: [],
      uses: 0,
    };
    if (meaning.of === of) meaning.uses++;
    meanings.set(key, meaning);
    const reference: Json = {};
    meaning.references.push(reference);
    return reference;
  }

  /**
   * A parameter that most lists share is named after lists (or records) in general. Any other is named after its own list: `List.sort`,
   * `DeviceList.sort`. Generators turn these into `ListSort` and `DeviceListSort`, and no other schema has such a name.
   */
  addTo(components: Json): void {
    Object.assign(components, this.inPaths);
    for (const [name, meanings] of this.inQueries) {
      const byUses = [...meanings.values()].toSorted((a, b) => b.uses - a.uses);
      const [most] = byUses;
      const mostOfSummaries = byUses.find(({ of }) => of === 'Summary');
      for (const meaning of meanings.values()) {
        const isMost = meaning === most || meaning === mostOfSummaries;
        const shared = meanings.size === 1 || (isMost && meaning.uses > 1);
        const key = `${shared ? '' : meaning.record}${meaning.of}.${name}`;
        components[key] = meaning.parameter;
        for (const reference of meaning.references) Object.assign(reference, ref('parameters', key));
      }
    }
  }
}
