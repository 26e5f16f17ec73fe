import { AS_OF } from '../../change-log/past-states.js';
import { unstorable } from '../../fields/types/text.js';
import { A_TIME_ZONE, isTimeZone, timeZoneSchema } from '../../fields/types/time-zone.js';
import { LAST_INSTANT } from '../../fields/types/time.js';
import { invalid } from '../../http/errors.js';
import { FILE, FILE_FORMATS, firstPage, PAGE, type PageRequest } from '../../lists/parameters/paging.js';
import {
  applyQuery,
  byName,
  choice,
  ids,
  instant,
  type Parameter,
  type RawQuery,
} from '../../lists/parameters/query-parameters.js';

const DAY = 24 * 60 * 60_000;
const DEFAULT_DAYS = 30;
const MOST_DAYS = 366;

interface RosterRequest extends PageRequest {
  /** Names of rosters; all if there are none. */
  rosters: readonly string[];
}

export interface MomentRequest extends RosterRequest {
  at: string;
  asOf?: string;
}

/** Half-open, as all intervals are. */
export interface Window {
  from: string;
  to: string;
}

export interface WindowRequest extends RosterRequest, Window {
  /** Ids of people; all if there are none. */
  personIds: readonly string[];
  timeZone: string;
  /** True: the list as a picture. */
  asPicture: boolean;
}

const ROSTER: Parameter<RosterRequest> = {
  name: 'roster',
  description: 'Only rosters of this name',
  schema: { type: 'string', example: 'Network' },
  many: true,
  apply(request, raw) {
    request.rosters = raw;
    return raw.map(unstorable).find((fault) => fault !== undefined);
  },
};

const PERSON = ids<WindowRequest>('personId', 'Only shifts of this person', (request, people) => {
  request.personIds = people;
});

const TIME_ZONE: Parameter<WindowRequest> = {
  name: 'timeZone',
  description: 'Time zone of nights and weekends; UTC if it is not given',
  schema: timeZoneSchema(),
  many: false,
  apply(request, [raw]) {
    request.timeZone = raw!;
    return isTimeZone(raw!) ? undefined : `must be ${A_TIME_ZONE}`;
  },
};

const WINDOW: readonly Parameter<WindowRequest>[] = [
  instant<WindowRequest>('from', 'Start of the window; now if it is not given', (request, value) => {
    request.from = value;
  }),
  instant<WindowRequest>(
    'to',
    `End of the window, at most ${MOST_DAYS} days after its start; ${DEFAULT_DAYS} days after it if it is not given`,
    (request, value) => {
      request.to = value;
    },
  ),
  ROSTER as Parameter<WindowRequest>,
];

/** The format of a list that can be a picture too. */
const PICTURE = {
  ...choice<WindowRequest, string>(
    'format',
    'ListOrPictureFormat',
    'The list as a file: CSV, or JSON lines; or as a picture. It has precedence over `Accept`. Without `pageSize` the file has the whole list, however long it is; `page` needs `pageSize`. A picture has no pages',
    [...FILE_FORMATS, 'svg'],
    (request, value) => {
      if (value === 'svg') request.asPicture = true;
      else request.format = value as (typeof FILE_FORMATS)[number];
    },
  ),
};

const list = <R>(parameters: readonly Parameter<R>[]): readonly Parameter<R>[] => [
  ...([...PAGE, ...FILE] as readonly Parameter<never>[] as readonly Parameter<R>[]),
  ...parameters,
];

/** The parameter `at` of what is on call. */
export const AT = instant<{ at: string }>('at', 'The time to look at; now if it is not given', (request, value) => {
  request.at = value;
});

export const MOMENT = list<MomentRequest>([
  AT as Parameter<MomentRequest>,
  ROSTER as Parameter<MomentRequest>,
  {
    ...(AS_OF as Parameter<MomentRequest>),
    description: 'Reads schedules and people as they were recorded at this time, from the change log',
  },
]);
export const WINDOW_OF_SHIFTS = list([...WINDOW, PERSON]).map((parameter) =>
  parameter.name === 'format' ? PICTURE : parameter,
);
export const WINDOW_OF_GAPS = list(WINDOW);
export const WINDOW_OF_LOAD = list([...WINDOW, PERSON, TIME_ZONE]);

/** @throws ValidationFailed */
export function parseMoment(query: RawQuery): MomentRequest {
  const request: MomentRequest = { ...firstPage(query), rosters: [], at: new Date().toISOString() };
  applyQuery(query, byName(MOMENT), request);
  return request;
}

/** @throws ValidationFailed */
export function parseWindow(query: RawQuery, parameters: readonly Parameter<WindowRequest>[]): WindowRequest {
  const request: WindowRequest = {
    ...firstPage(query),
    rosters: [],
    personIds: [],
    timeZone: 'UTC',
    asPicture: false,
    from: new Date().toISOString(),
    to: '',
  };
  applyQuery(query, byName(parameters), request);
  const from = Date.parse(request.from);
  // The last instant that a timestamp of the API can name.
  request.to ||= new Date(Math.min(from + DEFAULT_DAYS * DAY, Date.parse(LAST_INSTANT))).toISOString();
  const length = Date.parse(request.to) - from;
  if (length <= 0) throw invalid('to', 'must be after from');
  if (length > MOST_DAYS * DAY) throw invalid('to', `must be at most ${MOST_DAYS} days after from`);
  return request;
}
