import type { CredentialMarks } from '../auth/credential/credential-marks.js';
import { originOf } from './calendar-secret.js';

/** Path of a calendar. */
export const calendarPath = (secret: string): string => `/calendar/${secret}.ics`;

/** The secret in the address of a calendar, if this service has issued it. Its mark shows that without a query. */
export function issuedSecretIn(marks: CredentialMarks, url: string): string | undefined {
  const [, secret] = /^\/calendar\/([^/?]+)\.ics(?:\?|$)/.exec(url) ?? [];
  return secret !== undefined && originOf(marks, secret) === 'issued' ? secret : undefined;
}
