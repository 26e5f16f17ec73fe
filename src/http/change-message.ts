import type { IncomingHttpHeaders } from 'node:http';
import { Fault, ValidationFailed } from './errors.js';

/** The header that says why a change is made. */
export const CHANGE_MESSAGE = 'X-Change-Message';

/** Most characters of a message. */
export const MOST_OF_MESSAGE = 1000;

/** The prefix of RFC 8187 before a percent-encoded text. A language may be between the quotes. */
const CHARSET = "utf-8'";

const refused = (message: string, code: 'invalid' | 'too_long' = 'invalid'): ValidationFailed =>
  new ValidationFailed([new Fault(CHANGE_MESSAGE, message, code)]);

/**
 * The message of a request: UTF-8, percent-encoded, as it is or in the form of RFC 8187. Undefined without one.
 * @throws ValidationFailed
 */
export function changeMessageOf(headers: IncomingHttpHeaders): string | undefined {
  const { 'x-change-message': sent } = headers;
  if (typeof sent !== 'string' || sent === '') return undefined;
  const language = sent.toLowerCase().startsWith(CHARSET) ? sent.indexOf("'", CHARSET.length) : -1;
  const message = decoded(sent.slice(language + 1));
  if (message === undefined) throw refused('must be UTF-8, percent-encoded');
  if (message.includes('\0')) throw refused('must not contain NUL characters');
  if ([...message].length > MOST_OF_MESSAGE)
    throw refused(`must be at most ${MOST_OF_MESSAGE} characters long`, 'too_long');
  return message.trim() === '' ? undefined : message;
}

/** Undefined for a text that is not percent-encoded UTF-8. Characters outside ASCII are refused too, because a header has no charset. */
function decoded(text: string): string | undefined {
  try {
    return Buffer.byteLength(text) === text.length ? decodeURIComponent(text) : undefined;
  } catch {
    return undefined;
  }
}
