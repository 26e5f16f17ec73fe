import { closest } from '../../http/closest.js';
import type { RecordSql } from '../record-sql.js';
import type { Parameter } from './query-parameters.js';

/** The parameter `expand`: its documentation and its effect on a list. */
export function expandParameter(resource: RecordSql): Parameter<{ expand: readonly string[] }> {
  const names = resource.expandable.map(({ name }) => name);
  return {
    name: 'expand',
    description:
      'References whose records are added to the response, separated by commas or repeated: `site` for `siteId`. A CSV always has their names',
    schema: { type: 'string', enum: names },
    enumName: `${resource.record.name}Expand`,
    many: true,
    separated: true,
    apply(request, raw) {
      const given = raw.flatMap((value) => value.split(','));
      const unknown = given.find((name) => !names.includes(name));
      if (unknown !== undefined) {
        const near = closest(unknown, names);
        return near
          ? `must be names of references. Did you mean '${near}'?`
          : `must be one or more of ${names.join(', ')}, separated by commas`;
      }
      request.expand = given;
      return undefined;
    },
  };
}
