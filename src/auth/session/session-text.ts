import { randomBytes } from 'node:crypto';
import type { CredentialMarks, Origin } from '../credential/credential-marks.js';

/*
 * The text of a session: 32 random bytes in base64url, and their mark. Sessions of earlier versions have no mark.
 */

const SECRET_LENGTH = 43;
const MARK_LENGTH = 11;
const FORM = new RegExp(String.raw`^[\w-]{${SECRET_LENGTH}}(?:[0-9A-Za-z]{${MARK_LENGTH}})?$`);

export function makeSessionText(marks: CredentialMarks): string {
  const secret = randomBytes(32).toString('base64url');
  return secret + marks.mark(secret, MARK_LENGTH);
}

/** Undefined if the text has another form or a wrong mark. */
export function originOf(marks: CredentialMarks, text: string): Origin | undefined {
  if (!FORM.test(text)) return undefined;
  if (text.length === SECRET_LENGTH) return 'unmarked';
  return marks.verify(text.slice(0, SECRET_LENGTH), text.slice(SECRET_LENGTH)) ? 'issued' : undefined;
}
