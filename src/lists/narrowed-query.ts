import { onceFor } from '../http/once.js';
import type { Installation } from '../openapi/body.js';
import type { Knowing, ListQuery, Reading } from './list-query.js';
import type { ListRequest } from './list-request.js';
import type { Parameter, RawQuery } from './parameters/query-parameters.js';
import { compile, type RecordSql } from './record-sql.js';

/** Parameters of a query in addition to those of a list. */
interface Own<R extends ListRequest> {
  /** Its own parameters. They replace parameters of the list with the same name. */
  parameters: readonly Parameter<R>[];
  /** Further parameters, documented among the filters of the list. They replace parameters of the list with the same name. */
  filters?: readonly Parameter<R>[];
  /** The values of a request without these parameters. */
  defaults: Omit<R, keyof ListRequest>;
  /** Parameters of the list that do not apply. */
  without: ReadonlySet<string>;
}

/** A query that accepts the filters of a list, such as a summary or an output. */
export class NarrowedQuery<R extends ListRequest> {
  private readonly of = onceFor((resource: RecordSql) => this.make(resource));

  /** @param own called with the resource of the list on first use, when all record classes are loaded */
  constructor(
    private readonly list: ListQuery,
    private readonly own: (resource: RecordSql) => Own<R>,
  ) {}

  readonly parameters = (installation: Installation): readonly Parameter<R & Reading>[] => {
    const { record } = this.list;
    return this.of(compile(record, installation.of(record))).parameters;
  };

  /** @throws ValidationFailed with a fault for each parameter that is unknown, missing or has an invalid value */
  parse(query: RawQuery, ctx: Knowing): R {
    const resource = ctx.resource(this.list.record);
    const { parameters, defaults } = this.of(resource);
    return this.list.parseWith<R>(query, resource, parameters, defaults as R);
  }

  private make(resource: RecordSql) {
    const { parameters: own, filters = [], defaults, without } = this.own(resource);
    const named = new Set(own.map(({ name }) => name));
    const instead = new Map(filters.map((filter) => [filter.name, filter]));
    const ofList = this.list
      .parametersOf(resource)
      .filter(({ name }) => !named.has(name) && !without.has(name))
      .map((parameter): Parameter<R & Reading> => {
        const other = instead.get(parameter.name);
        instead.delete(parameter.name);
        return other ?? parameter;
      });
    const isOperator = ({ operatorOf }: Parameter<never>): boolean => operatorOf !== undefined;
    const parameters: readonly Parameter<R & Reading>[] = [
      ...own,
      ...ofList.filter((parameter) => !isOperator(parameter)),
      ...instead.values(),
      ...ofList.filter(isOperator),
    ];
    return { parameters, defaults };
  }
}
