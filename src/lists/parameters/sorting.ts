import { closest } from '../../http/closest.js';
import type { StoredField } from '../../fields/field.js';
import type { NamedReference } from '../../fields/references.js';
import type { Sort } from '../list-request.js';
import type { Parameter } from './query-parameters.js';

/** A request while its parameters are read. */
export interface Sorted {
  sort: Sort;
}

/** What a list is sorted by. */
type SortKey = Omit<Sort, 'direction'>;

/** What a list can be sorted by, by name: its fields, and the names of the records that its references refer to, as `site.name`. */
export const sortKeys = (
  fields: readonly StoredField[],
  references: readonly NamedReference[],
): ReadonlyMap<string, SortKey> =>
  new Map<string, SortKey>([
    ...fields.map((field) => [field.property, { field }] as const),
    ...references.map(
      (reference) =>
        [`${reference.name}.${reference.naming.property}`, { field: reference.naming, reference }] as const,
    ),
  ]);

/**
 * The parameters `sort` and `order`.
 * @param sorts what the list can be sorted by, by name
 * @param enumName name of the schema of these names
 */
export function sortParameters(sorts: ReadonlyMap<string, SortKey>, enumName: string): Parameter<Sorted>[] {
  const names = [...sorts.keys()];
  const ofReference = names.find((name) => sorts.get(name)!.reference);
  return [
    {
      name: 'sort',
      description: `Field to sort by${ofReference ? `, or the name of the record that a reference refers to, such as \`${ofReference}\`` : ''}; rows that are equal in it are sorted by id`,
      schema: { type: 'string', enum: names, default: 'createdAt' },
      enumName,
      many: false,
      apply(request, [raw]) {
        const by = sorts.get(raw!);
        if (!by) return unknownSort(raw!, names);
        request.sort = { ...by, direction: request.sort.direction };
        return undefined;
      },
    },
    {
      name: 'order',
      description: 'Sort direction. Nulls come last ascending and first descending',
      schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
      enumName: 'SortOrder',
      many: false,
      apply(request, [raw]) {
        if (raw !== 'asc' && raw !== 'desc') return 'must be asc or desc';
        request.sort = { ...request.sort, direction: raw === 'asc' ? 'ASC' : 'DESC' };
        return undefined;
      },
    },
  ];
}

function unknownSort(raw: string, names: readonly string[]): string {
  // As other services write it.
  const [sign, field] = [raw.slice(0, 1), raw.slice(1)];
  if (sign === '-' && names.includes(field)) {
    return `must be the name of a field. Did you mean 'sort=${field}&order=desc'?`;
  }
  // `site` or `site.id`, where `site.name` is meant.
  const near = names.find((name) => name.startsWith(`${raw.split('.', 1)[0]}.`)) ?? closest(raw, names);
  return near ? `must be the name of a field. Did you mean '${near}'?` : `must be one of ${names.join(', ')}`;
}
