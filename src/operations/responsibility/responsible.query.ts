import { unstorable } from '../../fields/types/text.js';
import { FILE, PAGE, type PageRequest, readPage } from '../../lists/parameters/paging.js';
import { flag, type Parameter, type RawQuery } from '../../lists/parameters/query-parameters.js';
import { AT } from '../on-call/on-call.query.js';
import { KINDS } from './responsibility.entity.js';
import type { Wanted } from './responsible.list.js';

/** The request of a list of who is responsible. */
type ResponsibleRequest = PageRequest & Wanted;

const KIND: Parameter<ResponsibleRequest> = {
  name: 'kind',
  description: 'Only responsibilities of this kind; all kinds if it is not given',
  schema: { type: 'string', example: KINDS[0] },
  many: true,
  apply(request, raw) {
    request.kinds = raw;
    return raw.map(unstorable).find((fault) => fault !== undefined);
  },
};

const ALL = flag<ResponsibleRequest>(
  'all',
  '`true`: the search continues to the last container. Otherwise the search for a kind ends at the nearest record with responsibilities of the kind',
  (request, value) => {
    request.all = value;
  },
);

export const RESPONSIBLE_PARAMETERS = [...PAGE, ...FILE, KIND, AT, ALL] as readonly Parameter<ResponsibleRequest>[];

/** @throws ValidationFailed */
export function parseResponsible(query: RawQuery): ResponsibleRequest {
  return readPage<ResponsibleRequest>(query, RESPONSIBLE_PARAMETERS, {
    kinds: [],
    all: false,
    at: new Date().toISOString(),
  });
}
