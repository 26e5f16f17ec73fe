import type { RecordSql } from '../record-sql.js';
import type { Parameter } from './query-parameters.js';
import { words } from './words.js';

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
