import { randomBytes } from 'node:crypto';
import { base62, numberOf } from '../auth/credential/base62.js';
import type { CredentialMarks, Origin } from '../auth/credential/credential-marks.js';

/*
 * The secret in the address of a calendar: 190 random bits in base62, and their mark. Secrets of earlier versions have the same
 * length, but no mark.
 */

const LENGTH = 43;
const MARK_LENGTH = 11;
const FORM = new RegExp(`^[0-9A-Za-z]{${LENGTH}}$`);

export function makeSecret(marks: CredentialMarks): string {
  const random = base62(numberOf(randomBytes(32)), LENGTH - MARK_LENGTH);
  return random + marks.mark(random, MARK_LENGTH);
}

/** Undefined if the text has another form. */
export function originOf(marks: CredentialMarks, text: string): Origin | undefined {
  if (!FORM.test(text)) return undefined;
  return marks.verify(text.slice(0, -MARK_LENGTH), text.slice(-MARK_LENGTH)) ? 'issued' : 'unmarked';
}
