import { LAST_INSTANT } from '../../fields/types/time.js';
import { invalid } from '../../http/errors.js';
import { instant, type Parameter } from './query-parameters.js';

const DAY = 24 * 60 * 60_000;
const DEFAULT_DAYS = 30;
const MOST_DAYS = 366;

/** Half-open, as all intervals are. */
export interface Window {
  from: string;
  to: string;
}

export const WINDOW: readonly Parameter<Window>[] = [
  instant<Window>('from', 'Start of the window; now if it is not given', (request, value) => {
    request.from = value;
  }),
  instant<Window>(
    'to',
    `End of the window, at most ${MOST_DAYS} days after its start; ${DEFAULT_DAYS} days after it if it is not given`,
    (request, value) => {
      request.to = value;
    },
  ),
];

/** A window. A bound that was not given is an empty text. @throws ValidationFailed if it has no length, or is too long */
export function completed(given: Window): Window {
  const from = given.from || new Date().toISOString();
  const start = Date.parse(from);
  // The last instant that a timestamp of the API can name.
  const to = given.to || new Date(Math.min(start + DEFAULT_DAYS * DAY, Date.parse(LAST_INSTANT))).toISOString();
  const length = Date.parse(to) - start;
  if (length <= 0) throw invalid('to', 'must be after from');
  if (length > MOST_DAYS * DAY) throw invalid('to', `must be at most ${MOST_DAYS} days after from`);
  return { from, to };
}
