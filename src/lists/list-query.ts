import type { PipeTransform } from '@nestjs/common';
import { once } from '../http/once.js';
import type { Class, StoredField } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { type ExtraFilter, type ListRequest, type Sort } from './list-request.js';
import { expandParameter } from './parameters/expand.js';
import { extraParameter, fieldParameters, type Filtered } from './parameters/filters.js';
import { FILE, firstPage, PAGE } from './parameters/paging.js';
import { applyQuery, byName, type Parameter, type Parameters, type RawQuery } from './parameters/query-parameters.js';
import { sortKeys, sortParameters, type Sorted } from './parameters/sorting.js';
import { recordSqlOf, type RecordSql } from './record-sql.js';
import { MOST_CHARACTERS, MOST_WORDS, searchFault } from './search-text.js';

/** A request while its parameters are read. */
export type Reading = ListRequest & Filtered & Sorted;

const NO_FIELDS: readonly StoredField[] = [];

/**
 * The definition of a list: its parameters, which the parser and the OpenAPI document both read. It is a pipe that makes a request
 * of a query string: `@Query(list) request: ListRequest`.
 */
export class ListQuery implements PipeTransform<RawQuery, ListRequest> {
  // Made on first use, because the classes that a record refers to may be loaded after it.
  private readonly made = once(() => this.make());
  private readonly extended = new WeakMap<readonly StoredField[], ListQuery>();

  constructor(
    readonly record: Class<StoredRecord>,
    private readonly extraFilters: readonly ExtraFilter[] = [],
    private readonly furtherFields = NO_FIELDS,
  ) {}

  get parameters(): readonly Parameter<Reading>[] {
    return this.made().parameters;
  }

  /**
   * The same list with further fields to filter and sort by, which its class does not declare.
   * @param fields the same array for the same fields, because the parameters are made once for each
   */
  with(fields: readonly StoredField[]): ListQuery {
    if (fields.length === 0) return this;
    let list = this.extended.get(fields);
    if (!list) this.extended.set(fields, (list = new ListQuery(this.record, this.extraFilters, fields)));
    return list;
  }

  /** @throws ValidationFailed with a fault for each parameter that is unknown or has an invalid value */
  transform(query: RawQuery): ListRequest {
    return this.parse(query);
  }

  /** @throws ValidationFailed with a fault for each parameter that is unknown or has an invalid value */
  parse(query: RawQuery): ListRequest {
    return this.parseWith(query, this.made().byName, {});
  }

  /**
   * Parses the query of something else that some of these parameters narrow.
   * @param parameters all that it takes
   * @param defaults of those that are not of the list
   * @throws ValidationFailed with a fault for each parameter that is unknown or has an invalid value
   */
  parseWith<R extends object>(query: RawQuery, parameters: Parameters<Reading & R>, defaults: R): ListRequest & R {
    const request: Reading & R = {
      ...firstPage(query),
      filters: [],
      sort: this.made().defaultSort,
      expand: [],
      ...defaults,
    };
    applyQuery(query, parameters, request, 'filter');
    return request;
  }

  private make(): { parameters: readonly Parameter<Reading>[]; byName: Parameters<Reading>; defaultSort: Sort } {
    const resource: RecordSql = recordSqlOf(this.record);
    const open = [...resource.filtered, ...this.furtherFields];
    const common: Parameter<Reading>[] = [
      ...PAGE,
      ...(resource.searched.length > 0 ? [searchParameter(resource)] : []),
      ...sortParameters(sortKeys(open, resource.expandable), `${resource.record.name}Sort`),
      ...FILE,
      ...(resource.expandable.length > 0 ? [expandParameter(resource)] : []),
    ];
    // A field that is named like a parameter of all lists has filters by its operators only.
    const taken = new Set(common.map(({ name }) => name));
    const filters = [
      ...open.flatMap(fieldParameters).filter(({ name }) => !taken.has(name)),
      ...this.extraFilters.map(extraParameter),
    ];
    const parameters = [
      ...common,
      // The document lists the filters before their many operators.
      ...filters.filter(({ operatorOf }) => operatorOf === undefined),
      ...filters.filter(({ operatorOf }) => operatorOf !== undefined),
    ];
    const defaultSort: Sort = { field: resource.field('createdAt'), direction: 'ASC' };
    return { parameters, byName: byName(parameters), defaultSort };
  }
}

const lists = new WeakMap<Class, Map<readonly ExtraFilter[], ListQuery>>();
const NO_FILTERS: readonly ExtraFilter[] = [];

/** The definition of the list of a record class. The same for the same class and array of filters. */
export function listOf(record: Class<StoredRecord>, extraFilters = NO_FILTERS): ListQuery {
  const ofRecord = lists.get(record) ?? new Map<readonly ExtraFilter[], ListQuery>();
  lists.set(record, ofRecord);
  let list = ofRecord.get(extraFilters);
  if (!list) ofRecord.set(extraFilters, (list = new ListQuery(record, extraFilters)));
  return list;
}

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
