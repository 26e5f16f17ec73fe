import type { PipeTransform } from '@nestjs/common';
import { once, onceFor } from '../http/once.js';
import type { ListQuery, Reading } from './list-query.js';
import type { ListRequest } from './list-request.js';
import { byName, type Parameter, type RawQuery } from './parameters/query-parameters.js';

/** What a query has besides the parameters of a list. */
interface Own<R extends ListRequest> {
  /** Its own parameters. One with the name of a parameter of the list stands for it. */
  parameters: readonly Parameter<R>[];
  /** What a request without them has. */
  defaults: Omit<R, keyof ListRequest>;
  /** Parameters of the list that it has no use for. */
  without: ReadonlySet<string>;
}

/**
 * The query of something that the filters of a list narrow, such as a summary or an output. Like the list, it is a pipe that makes a
 * request of a query string.
 */
export class NarrowedQuery<R extends ListRequest> implements PipeTransform<RawQuery, R> {
  private readonly made = once(() => this.make());
  private readonly extended = onceFor((list: ListQuery) => new NarrowedQuery(list, this.own));

  /** @param own called with the list on first use, when the classes of all records are loaded */
  constructor(
    private readonly list: ListQuery,
    private readonly own: (list: ListQuery) => Own<R>,
  ) {}

  /** The same query of another state of the list. The same for the same list. */
  of(list: ListQuery): NarrowedQuery<R> {
    return list === this.list ? this : this.extended(list);
  }

  get parameters(): readonly Parameter<R & Reading>[] {
    return this.of(this.list.current).made().parameters;
  }

  /** @throws ValidationFailed with a fault for each parameter that is unknown, missing or has an invalid value */
  transform(query: RawQuery): R {
    return this.of(this.list.current).parse(query);
  }

  /** @throws ValidationFailed with a fault for each parameter that is unknown, missing or has an invalid value */
  parse(query: RawQuery): R {
    const { parameters, defaults } = this.made();
    return this.list.parseWith<R>(query, byName(parameters), defaults as R);
  }

  private make() {
    const { parameters: own, defaults, without } = this.own(this.list);
    const named = new Set(own.map(({ name }) => name));
    const ofList = this.list.parameters.filter(({ name }) => !named.has(name) && !without.has(name));
    const parameters: readonly Parameter<R & Reading>[] = [...own, ...ofList];
    return { parameters, defaults };
  }
}
