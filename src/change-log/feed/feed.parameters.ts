import { integer, type Parameter, single } from '../../lists/parameters/query-parameters.js';
import { words } from '../../lists/parameters/words.js';
import { unstorable } from '../../fields/types/text.js';
import { entryFilter, type FeedFilter } from './change-feed.js';
import { parseCursor, type FeedCursor } from './feed-cursor.js';

export const START = 'start';

export interface FeedRequest extends Omit<FeedFilter, 'caller'> {
  /** Cursor of the last entry that was read; undefined to begin with new entries. */
  since?: FeedCursor | typeof START;
  limit: number;
  /** Seconds. */
  wait: number;
}

export const newFeedRequest = (): FeedRequest => ({ filters: [], limit: 100, wait: 0 });

const SINCE = single<FeedRequest, NonNullable<FeedRequest['since']>>(
  {
    name: 'since',
    description:
      'Cursor of an earlier response: returns the entries after it. `start`: begins with the oldest retained entry. Absent: only entries that are written from now on',
    schema: { type: 'string', maxLength: 64, example: START },
  },
  (raw) => (raw === START ? START : parseCursor(raw)),
  'start, or the cursor of an earlier response',
  (request, since) => (request.since = since),
);

const ACTIONS = ['create', 'update', 'delete'];

const ACTION = words<FeedRequest, string>(
  'action',
  'ChangeAction',
  'Only entries of these actions',
  ACTIONS,
  (request, given) => void (request.filters = [...request.filters, entryFilter('action', given)]),
);

// The names of resources are not validated, so that a reader continues when a resource is removed.
const MOST_RESOURCES = 100;

const RESOURCE: Parameter<FeedRequest> = {
  name: 'resource',
  description: 'Only entries of these resources, named as in the change log: `ip-addresses`',
  schema: { type: 'string', example: 'ip-addresses' },
  many: true,
  apply(request, raw) {
    request.filters = [...request.filters, entryFilter('resource', raw)];
    if (raw.length > MOST_RESOURCES) return `must be given at most ${MOST_RESOURCES} times`;
    return raw.map((name) => unstorable(name)).find((fault) => fault !== undefined);
  },
};

const LIMIT = integer<FeedRequest>(
  'limit',
  'Maximum number of entries. The response has fewer if they are long',
  { min: 1, max: 1_000, default: 100 },
  (request, value) => (request.limit = value),
);

const WAIT = integer<FeedRequest>(
  'wait',
  'Seconds to wait for an entry if there is none yet',
  { min: 0, max: 30, default: 0, example: 20 },
  (request, value) => (request.wait = value),
);

export const STREAM_PARAMETERS: readonly Parameter<FeedRequest>[] = [SINCE, RESOURCE, ACTION];
export const PAGE_PARAMETERS: readonly Parameter<FeedRequest>[] = [...STREAM_PARAMETERS, LIMIT, WAIT];
