import { named } from '../../openapi/schema.js';
import { RANGE_OPERATORS, type FieldType } from './field-type.js';
import { textConstraint } from './own-constraint.js';

// Exactly the calendar dates of the years 1 to 9999. The document has the same expression, so the two always agree. Like
// DECIMAL it has no lookahead.
const YEAR = String.raw`(?:[1-9]\d{3}|0[1-9]\d{2}|00[1-9]\d|000[1-9])`;
const LEAP_YEAR = String.raw`(?:\d{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)`;
const DAY = String.raw`(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`;
const DATE = `${YEAR}-${DAY}|${LEAP_YEAR}-02-29`;
const TIME = String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?`;
const OFFSET = String.raw`[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?`;
const DATE_OR_TIME = new RegExp(`^(${DATE})(?:[Tt]${TIME}(${OFFSET})?)?$`);

/**
 * RFC 3339 UTC with milliseconds of an ISO 8601 date-time or date. A time without an offset is in UTC, a date is its
 * midnight. Undefined for any other text, and for an instant outside the years 1 to 9999.
 */
export function toTimestamp(value: string): string | undefined {
  const match = DATE_OR_TIME.exec(value);
  if (!match) return undefined;
  const [, date, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match;
  const millis = fraction.slice(0, 3).padEnd(3, '0');
  const zone = /^[Zz]$/.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.length > 3 ? offset.slice(-2) : '00'}`;
  const instant = new Date(`${date}T${hour}:${minute}:${second}.${millis}${zone}`);
  const year = instant.getUTCFullYear();
  return Number.isNaN(instant.getTime()) || year < 1 || year > 9999 ? undefined : instant.toISOString();
}

/** The last instant that the service knows. */
export const LAST_INSTANT = '9999-12-31T23:59:59.999Z';

const LOCAL_TIME = new RegExp(`^(${DATE})(?:[Tt]${TIME})?$`);

/** ISO 8601 date-time with milliseconds and without an offset, of such a date-time or of a date, which is its midnight. */
export function toLocalTime(value: string): string | undefined {
  const instant = LOCAL_TIME.test(value) ? toTimestamp(value) : undefined;
  return instant?.slice(0, -1);
}

/** `YYYY-MM-DD` of a date, or of a date-time in its own offset; undefined for any other text. */
export const toDate = (value: string): string | undefined =>
  toTimestamp(value) === undefined ? undefined : value.slice(0, 10);

const INSTANT = {
  name: 'Timestamp',
  description:
    'An instant in the years 1 to 9999: an ISO 8601 date-time, in UTC if it has no offset, or a date, which means midnight in UTC',
  examples: ['2026-03-01T08:30:00Z'],
};
const CALENDAR_DATE = {
  name: 'CalendarDate',
  description: 'A date in the years 1 to 9999. Of an ISO 8601 date-time, only the date is kept, as it is written',
  examples: ['2026-03-01'],
};

/** @param format the format of bodies, which forms and generated types follow. The pattern is the exact rule */
const inBody = (of: typeof INSTANT, format: string): Record<string, unknown> =>
  named(of, { type: 'string', format, pattern: DATE_OR_TIME.source });

// People type dates and times into addresses, in either form. A client that validates the format would refuse accepted values.
const inQuery = (of: typeof INSTANT): Record<string, unknown> =>
  named({ ...of, name: `${of.name}InQuery` }, { type: 'string', pattern: DATE_OR_TIME.source });

/** JSON schema of an instant in a query string. */
export const timeInQuery = (): Record<string, unknown> => inQuery(INSTANT);

/** Converts the texts that `to` accepts to the stored form. */
const stored =
  (to: (value: string) => string | undefined) =>
  (value: unknown): unknown =>
    (typeof value === 'string' ? to(value) : undefined) ?? value;

const AN_INSTANT = 'an ISO 8601 date-time, such as 2026-03-01T08:30:00Z, or a date';
const A_LOCAL_TIME = 'a date-time without an offset, such as 2026-03-02T09:00, or a date';
const A_DATE = 'a date, such as 2026-03-01';

// `IsISO8601` and `IsDateString` accept week dates, the year 0 and days that a month does not have.
export const IsInstant = textConstraint(
  'isInstant',
  (value) => toTimestamp(value) !== undefined,
  `must be ${AN_INSTANT}`,
);
export const IsCalendarDate = textConstraint(
  'isCalendarDate',
  (value) => toDate(value) !== undefined,
  `must be ${A_DATE}`,
);
export const IsLocalTime = textConstraint(
  'isLocalTime',
  (value) => toLocalTime(value) !== undefined,
  `must be ${A_LOCAL_TIME}`,
);

/** SQL of an instant as RFC 3339 UTC with milliseconds. */
export const instantText = (sql: string): string =>
  `to_char(${sql} AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** An instant: RFC 3339 UTC with milliseconds. */
export const timestamp: FieldType = {
  column: () => ({ type: 'timestamp with time zone', precision: 3 }),
  constraints: () => [IsInstant()],
  transform: stored(toTimestamp),
  schema: () => ({ type: 'string', format: 'date-time' }),
  requestSchema: () => inBody(INSTANT, 'date-time'),
  filterSchema: timeInQuery,
  sqlType: 'timestamptz',
  parse: toTimestamp,
  expects: AN_INSTANT,
  operators: RANGE_OPERATORS,
  select: instantText,
};

export const date = {
  column: () => ({ type: 'date' }),
  constraints: () => [IsCalendarDate()],
  transform: stored(toDate),
  schema: () => ({ type: 'string', format: 'date' }),
  requestSchema: () => inBody(CALENDAR_DATE, 'date'),
  filterSchema: () => inQuery(CALENDAR_DATE),
  sqlType: 'date',
  parse: toDate,
  expects: A_DATE,
  operators: RANGE_OPERATORS,
} satisfies FieldType;

// Dates whose local times are instants of the years 1 to 9999 in every time zone.
const FIRST_DAY = '0001-01-02';
const LAST_DAY = '9999-12-30';

export const IsLocalInEveryZone = textConstraint(
  'isLocalInEveryZone',
  (value) => value.slice(0, 10) >= FIRST_DAY && value.slice(0, 10) <= LAST_DAY,
  `must be between ${FIRST_DAY} and ${LAST_DAY}`,
);

/** Local time of a place. Another field has the time zone. */
export const localTime: FieldType = {
  column: () => ({ type: 'timestamp without time zone', precision: 3 }),
  constraints: () => [IsLocalTime(), IsLocalInEveryZone()],
  transform: stored(toLocalTime),
  schema: () =>
    named(
      {
        name: 'LocalTime',
        description: `Local time: an ISO 8601 date-time without an offset, or a date, which means midnight, between ${FIRST_DAY} and ${LAST_DAY}`,
        examples: ['2026-03-02T09:00'],
      },
      { type: 'string', format: 'date-time-local', pattern: LOCAL_TIME.source },
    ),
  sqlType: 'timestamp',
  parse: toLocalTime,
  expects: A_LOCAL_TIME,
  operators: RANGE_OPERATORS,
};
