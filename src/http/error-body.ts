import { hasRange, PROBLEM_TYPE } from './accept.js';
import { type DomainError, ERRORS, type Fault } from './errors.js';
import { JSON_TYPE } from './replies.js';

/** The page that describes the codes, with an anchor for each. */
export const ERRORS_PAGE = '/docs/errors.md';

/** The parts of the request that decide how a refusal is written. */
interface Refused {
  id: string;
  headers: { accept?: string };
}

/** The body of a refusal, and its media type: the error body of this service, or problem details if the client asks for them. */
export function errorBody(refusal: DomainError, { id, headers: { accept } }: Refused): { type: string; text: string } {
  const isProblem = accept !== undefined && hasRange(accept, PROBLEM_TYPE);
  return isProblem
    ? { type: PROBLEM_TYPE, text: JSON.stringify(problemOf(refusal, id)) }
    : { type: JSON_TYPE, text: JSON.stringify(refusal.body) };
}

function problemOf({ code, status, body }: DomainError, id: string): object {
  const { error: detail, code: _, details, ...more } = body;
  return {
    type: `${ERRORS_PAGE}#${code}`,
    title: ERRORS[code].title,
    status,
    detail,
    // Identifies this occurrence: the request id that the log and the header `X-Request-Id` have.
    instance: `urn:uuid:${id}`,
    code,
    ...(details && { errors: details.map(problemOfFault) }),
    ...more,
  };
}

const problemOfFault = ({ field, message, ...more }: Fault): object => ({
  pointer: pointerTo(field),
  detail: message,
  ...more,
});

/** The place of a fault as a JSON Pointer in a URI fragment (RFC 6901): `#/items/0/quantity` for `items[0].quantity`. */
export const pointerTo = (field: string): string =>
  ['#', ...field.replaceAll(']', '').replaceAll('[', '.').split('.').map(escaped)].join('/');

/** Half a surrogate pair, which no URI can have, becomes the replacement character. */
const escaped = (name: string): string =>
  encodeURIComponent(Buffer.from(name).toString().replaceAll('~', '~0').replaceAll('/', '~1'));
