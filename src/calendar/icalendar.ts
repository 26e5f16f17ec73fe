/* Calendars as RFC 5545 writes them. */

interface IcalendarEvent {
  uid: string;
  sequence: number;
  /** Time of the last change. */
  changedAt: Date;
  start: Date;
  end: Date;
  summary: string;
  description: string;
  status: string;
}

const MOST_OCTETS = 75;
const SECOND = 1000;

// A calendar must have a component. If there are no events, this time zone is the component.
const UTC_ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** The text before the events of a calendar. */
export const calendarStart = (name: string): string =>
  textOf([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Inventory and Operations//Calendar feeds//EN',
    'CALSCALE:GREGORIAN',
    // The name and the refresh interval, as in RFC 7986 and in the older extensions.
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ]);

/** @param wholeDays whether the event is whole days, which do not mark anybody as busy */
export const eventText = (event: IcalendarEvent, wholeDays: boolean): string => textOf(linesOf(event, wholeDays));

/** The text after the events of a calendar. */
export const calendarEnd = (isEmpty: boolean): string => textOf([...(isEmpty ? UTC_ZONE : []), 'END:VCALENDAR']);

const textOf = (lines: readonly string[]): string => lines.map((line) => `${folded(line)}\r\n`).join('');

function linesOf(event: IcalendarEvent, wholeDays: boolean): string[] {
  const { uid, sequence, changedAt, start, end, summary, description, status } = event;
  // iCalendar has whole seconds. Both times are rounded down, so that an event keeps its length. An event must not be empty.
  const [from, last] = [start, end].map((time) => Math.floor(time.getTime() / SECOND) * SECOND) as [number, number];
  const to = Math.max(last, from + SECOND);
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${instant(changedAt.getTime())}`,
    `LAST-MODIFIED:${instant(changedAt.getTime())}`,
    ...(wholeDays
      ? [`DTSTART;VALUE=DATE:${day(from)}`, `DTEND;VALUE=DATE:${day(to)}`, 'TRANSP:TRANSPARENT']
      : [`DTSTART:${instant(from)}`, `DTEND:${instant(to)}`]),
    `STATUS:${status}`,
    `SUMMARY:${escaped(summary)}`,
    ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
    'END:VEVENT',
  ];
}

/** `20260301T083000Z` */
const instant = (time: number): string => `${new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** `20260301` */
const day = (time: number): string => new Date(time).toISOString().slice(0, 10).replaceAll('-', '');

// oxlint-disable-next-line no-control-regex -- these are the characters to find
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A text as the value of a property. Control characters are not allowed and are left out. */
const escaped = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);

/** A line folded into pieces of at most 75 octets, each but the first after a space. No character is split. */
export function folded(line: string): string {
  const octets = Buffer.from(line);
  const pieces: string[] = [];
  let start = 0;
  let most = MOST_OCTETS;
  while (octets.length - start > most) {
    let end = start + most;
    while ((octets[end]! & 0xc0) === 0x80) end--;
    pieces.push(octets.toString('utf8', start, end));
    start = end;
    // The space before a further piece counts too.
    most = MOST_OCTETS - 1;
  }
  return [...pieces, octets.toString('utf8', start)].join('\r\n ');
}
