import { named } from '../../openapi/schema.js';
import type { FieldType } from './field-type.js';
import { textConstraint } from './own-constraint.js';
import { MAX_LINE, text } from './text.js';

// PostgreSQL reads these names as abbreviations, which have no daylight saving time.
const ABBREVIATIONS = ['CET', 'EET', 'MET', 'WET'];

/** Whether a text is the IANA name of a time zone. Offsets such as +01:00 are not names. */
export function isTimeZone(value: string): boolean {
  if (!/^[A-Z]/.test(value) || ABBREVIATIONS.includes(value)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
}

export const A_TIME_ZONE = 'the IANA name of a time zone, such as Europe/Paris';

/** Message for a name that the database does not know. */
export const UNKNOWN_TIME_ZONE = `must be ${A_TIME_ZONE}, known to the database. An old name may have been replaced by another one`;

export const timeZoneSchema = (): Record<string, unknown> =>
  named(
    { name: 'TimeZone', description: 'IANA name of a time zone', examples: ['Europe/Paris'] },
    { type: 'string', pattern: '^[A-Z][A-Za-z0-9_+/-]*$', maxLength: MAX_LINE },
  );

/** `IsTimeZone` accepts offsets and abbreviations too. */
export const IsTimeZoneName = textConstraint('isTimeZoneName', isTimeZone, `must be ${A_TIME_ZONE}`);

export const timeZone: FieldType = {
  ...text,
  constraints: () => [IsTimeZoneName()],
  schema: timeZoneSchema,
  expects: A_TIME_ZONE,
};
