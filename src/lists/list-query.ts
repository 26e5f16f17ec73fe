import { someOf } from '../http/some-of.js';
import type { FastifyRequest } from 'fastify';
import { readFresh } from '../fields/custom/defined-fields.js';
import { FromRequest } from '../http/from-request.js';
import { onceFor } from '../http/once.js';
import type { Installation } from '../openapi/body.js';
import { type Class, isList, type StoredField } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import type { ExtraFilter, ListRequest, Sort } from './list-request.js';
import { extraParameter, fieldParameters, type Filtered, referenceParameters } from './parameters/filters.js';
import { CURSOR, fileParameters, firstPage, PAGE } from './parameters/paging.js';
import { type Parameter, type RawQuery, readQuery } from './parameters/query-parameters.js';
import { compile, type RecordSql } from './record-sql.js';
import { contextOf, type RequestContext } from './request-context.js';
import { MOST_CHARACTERS, MOST_WORDS, searchFault } from './search-text.js';
import { closest } from '../http/closest.js';
import { isStoredReference, type StoredReference } from '../fields/references.js';
import { words } from './parameters/words.js';

/** A request while its parameters are read. */
export type Reading = ListRequest & Filtered & Sorted;

/** Parses a query string to a request. */
interface ReadsQuery<R> {
  /** @throws ValidationFailed with a fault for each parameter that is unknown, missing or has an invalid value */
  parse(query: RawQuery, ctx: Knowing): R;
}

/** The context of parsing: the resource with its custom fields. */
export type Knowing = Pick<RequestContext, 'resource'>;

/** A query string as a parameter of a handler: `@QueryOf(list) request: ListRequest`. */
export const QueryOf = (query: ReadsQuery<unknown>): ParameterDecorator =>
  FromRequest({
    transform(request: FastifyRequest) {
      const ctx = contextOf(request);
      return readFresh(ctx, () => query.parse(request.query as RawQuery, ctx));
    },
  });

/** The definition of a list: its parameters, which the parser and the OpenAPI document both read. */
export class ListQuery implements ReadsQuery<ListRequest> {
  // Made on first use, because the classes that a record refers to may be loaded after it.
  private readonly of = onceFor((resource: RecordSql) => this.make(resource));

  constructor(
    readonly record: Class<StoredRecord>,
    private readonly extraFilters: readonly ExtraFilter[] = [],
  ) {}

  /** All of its parameters. */
  readonly parameters = (installation: Installation): readonly Parameter<Reading>[] =>
    this.parametersOf(compile(this.record, installation.of(this.record)));

  /** All parameters of a resource's list. */
  parametersOf(resource: RecordSql): readonly Parameter<Reading>[] {
    return this.of(resource);
  }

  parse(query: RawQuery, ctx: Knowing): ListRequest {
    const resource = ctx.resource(this.record);
    return this.parseWith(query, resource, this.of(resource), {});
  }

  /**
   * Parses another kind of query that accepts some of these parameters.
   * @param parameters all parameters that it accepts
   * @param defaults values of parameters that the list does not have
   * @throws ValidationFailed with a fault for each parameter that is unknown or has an invalid value
   */
  parseWith<R extends object>(
    query: RawQuery,
    resource: RecordSql,
    parameters: readonly Parameter<Reading & R>[],
    defaults: R,
  ): ListRequest & R {
    const request: Reading & R = {
      ...firstPage(query),
      filters: [],
      sort: { field: resource.field('createdAt'), direction: 'ASC' },
      expand: [],
      ...defaults,
    };
    return readQuery(query, parameters, request, 'filter');
  }

  private make(resource: RecordSql): readonly Parameter<Reading>[] {
    const open = resource.filtered;
    const ofFields = open.flatMap(fieldParameters);
    const references = resource.expandable.filter(isStoredReference).filter(({ isHidden }) => isHidden !== true);
    const common: Parameter<Reading>[] = [
      ...PAGE,
      ...(resource.searched.length > 0 ? [searchParameter(resource)] : []),
      ...sortParameters(sortKeys(open.filter(isSortable), references), `${resource.record.name}Sort`),
      ...fileParameters<Reading>(resource.record.name, ofFields),
      ...(resource.expandable.length > 0 ? [expandParameter(resource)] : []),
      ...CURSOR,
    ];
    const ofReferences = references.flatMap((reference) => referenceParameters(reference));
    const taken = new Set(common.map(({ name }) => name));
    const filters = [
      ...ofFields.filter(({ name }) => !taken.has(name)),
      ...this.extraFilters.map(extraParameter),
      ...ofReferences,
    ];
    return [
      ...common,
      // The document lists the filters before their many operators.
      ...filters.filter(({ operatorOf }) => operatorOf === undefined),
      ...filters.filter(({ operatorOf }) => operatorOf !== undefined),
    ];
  }
}

const listsOf = onceFor((record: Class<StoredRecord>) =>
  onceFor((extraFilters: readonly ExtraFilter[]) => new ListQuery(record, extraFilters)),
);
const NO_FILTERS: readonly ExtraFilter[] = [];

/** The definition of the list of a record class, cached by class and array of filters. */
export const listOf = (record: Class<StoredRecord>, extraFilters = NO_FILTERS): ListQuery =>
  listsOf(record)(extraFilters);

/** Of lists, those that the contract has are sorted by. */
const isSortable = (field: StoredField): boolean => !field.custom || !isList(field);

function searchParameter(resource: RecordSql): Parameter<Reading> {
  const names = resource.searched.map((field) => field.property);
  return {
    name: 'search',
    description: `Text to find, in upper or lower case, anywhere in ${names.join(', ')}. At most ${MOST_WORDS} words`,
    schema: { type: 'string', maxLength: MOST_CHARACTERS },
    many: false,
    apply(request, [raw]) {
      const fault = searchFault(raw!);
      if (fault === undefined && raw !== '') request.search = raw;
      return fault;
    },
  };
}

/** A request while its parameters are read. */
interface Sorted {
  sort: Sort;
}

/** The sort key of a list. */
type SortKey = Omit<Sort, 'direction'>;

/** Sort keys by name: the fields, and the names of referenced records, such as `site.name`. */
const sortKeys = (
  fields: readonly StoredField[],
  references: readonly StoredReference[],
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
function sortParameters(sorts: ReadonlyMap<string, SortKey>, enumName: string): Parameter<Sorted>[] {
  const names = [...sorts.keys()];
  const ofReference = names.find((name) => sorts.get(name)!.reference);
  return [
    {
      name: 'sort',
      description: `Field to sort by${ofReference ? `, or the name of a referenced record, such as \`${ofReference}\`` : ''}; equal rows are sorted by id`,
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
  // As other APIs write it.
  const [sign, field] = [raw.slice(0, 1), raw.slice(1)];
  if (sign === '-' && names.includes(field)) {
    return `must be the name of a field. Did you mean 'sort=${field}&order=desc'?`;
  }
  // `site` or `site.id` where `site.name` is meant.
  const near = names.find((name) => name.startsWith(`${raw.split('.', 1)[0]}.`)) ?? closest(raw, names);
  return near ? `must be the name of a field. Did you mean '${near}'?` : `must be one of ${someOf(names)}`;
}

/** The parameter `expand`: its documentation and its effect on a list. */
export const expandParameter = (resource: RecordSql): Parameter<{ expand: readonly string[] }> =>
  words(
    'expand',
    `${resource.record.name}Expand`,
    'References whose records are added to the response, separated by commas or repeated: `site` for `siteId`. A CSV always has their names',
    resource.expandable.map(({ name }) => name),
    (request, given) => void (request.expand = given),
    { separated: true, called: 'names of references' },
  );
