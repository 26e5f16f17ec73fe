const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** With more labels, they would touch each other. */
const MOST = 15;

export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Times that a window is divided at, with their names: hours, days, weeks from Monday or months, about ten of them. */
export function ticksOf(start: number, end: number): { time: number; name: string }[] {
  const first = new Date(start);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  const step = [HOUR, 6 * HOUR, DAY, 2 * DAY, WEEK].find((one) => (end - start) / one <= MOST);
  const back = step === WEEK ? (first.getUTCDay() + 6) % 7 : 0;
  const midnight = Date.UTC(year, month, first.getUTCDate() - back);
  const times = step
    ? Array.from({ length: MOST + 1 + DAY / step }, (_, index) => midnight + index * step)
    : Array.from({ length: 14 }, (_, index) => Date.UTC(year, month + index));
  return times.filter((time) => time >= start && time < end).map((time) => ({ time, name: nameOf(time, step) }));
}

function nameOf(time: number, step: number | undefined): string {
  const date = new Date(time);
  const text = date.toISOString();
  if (!step) return text.slice(0, 7);
  return time % DAY === 0 ? `${WEEKDAYS[date.getUTCDay()]} ${text.slice(5, 10)}` : text.slice(11, 16);
}
