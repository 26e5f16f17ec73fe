import { AS_OF } from '../../change-log/past-states.js';
import { unstorable } from '../../fields/types/text.js';
import { A_TIME_ZONE, isTimeZone, timeZoneSchema } from '../../fields/types/time-zone.js';
import { FILE, FILE_OR_PICTURE, PAGE, type PageRequest, readPage } from '../../lists/parameters/paging.js';
import { ids, instant, type Parameter, type RawQuery } from '../../lists/parameters/query-parameters.js';
import { completed, type Window, WINDOW as WINDOW_PARAMETERS } from '../../lists/parameters/window.js';

interface RosterRequest extends PageRequest {
  /** Names of rosters; all if there are none. */
  rosters: readonly string[];
}

export interface MomentRequest extends RosterRequest {
  at: string;
  asOf?: string;
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

const WINDOW = [...WINDOW_PARAMETERS, ROSTER] as readonly Parameter<never>[] as readonly Parameter<WindowRequest>[];

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
  parameter.name === 'format' ? (FILE_OR_PICTURE as Parameter<never> as Parameter<WindowRequest>) : parameter,
);
export const WINDOW_OF_GAPS = list(WINDOW);
export const WINDOW_OF_LOAD = list([...WINDOW, PERSON, TIME_ZONE]);

/** @throws ValidationFailed */
export function parseMoment(query: RawQuery): MomentRequest {
  return readPage<MomentRequest>(query, MOMENT, { rosters: [], at: new Date().toISOString() });
}

/** @throws ValidationFailed */
export function parseWindow(query: RawQuery, parameters: readonly Parameter<WindowRequest>[]): WindowRequest {
  const request = readPage<WindowRequest>(query, parameters, {
    rosters: [],
    personIds: [],
    timeZone: 'UTC',
    asPicture: false,
    from: '',
    to: '',
  });
  return { ...request, ...completed(request) };
}
