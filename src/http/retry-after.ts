// The three forms of a date that RFC 9110 knows. The last one has no zone, and is in UTC as well.
const TIME = String.raw`\d{2}:\d{2}:\d{2}`;
const HTTP_DATE = new RegExp(
  String.raw`^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} ${TIME} GMT$|^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} ${TIME} GMT$`,
);
const ASCTIME = new RegExp(String.raw`^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d ${TIME} \d{4}$`);

/** Milliseconds since the epoch of a date in a header; NaN for any other text. */
function timeOf(text: string): number {
  if (!ASCTIME.test(text) && !HTTP_DATE.test(text)) return Number.NaN;
  const time = Date.parse(ASCTIME.test(text) ? `${text} GMT` : text);
  // JavaScript reads 31 February as 2 March.
  const begin = text.includes(',') ? text.indexOf(',') + 2 : 8;
  const day = text.slice(begin, begin + 2);
  return new Date(time).getUTCDate() === Number(day) ? time : Number.NaN;
}

/** The seconds that a `Retry-After` header asks for; undefined if it has none of the valid forms, or a time that does not exist. */
export function secondsAsked(header: string, now: number): number | undefined {
  const seconds = /^\d+$/.test(header) ? Number(header) : (timeOf(header) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : seconds;
}
