import { LineField, TypedField } from '../../fields/fields.js';
import { checked, type FieldType } from '../../types/field-type.js';
import { codePoints, text, textFault } from '../../types/text.js';
import { VISIBLE_PATTERN } from '../../types/visible.js';
import { isCommonPassword } from './common-passwords.js';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 1024;
const EXAMPLE = 'correct horse battery staple';

/** The reason for refusing a new password, or undefined. The password is not part of it. */
export function passwordFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (codePoints(value) < MIN_PASSWORD) return `must be at least ${MIN_PASSWORD} characters long`;
  const fault = textFault(value, { maxLength: MAX_PASSWORD, notBlank: true });
  return fault ?? (isCommonPassword(value) ? 'is on the list of common passwords, which are tried first' : undefined);
}

/** A new password. It is stored unchanged. */
export const password: FieldType = {
  ...text,
  read: checked(passwordFault),
  schema: () => ({
    type: 'string',
    format: 'password',
    minLength: MIN_PASSWORD,
    maxLength: MAX_PASSWORD,
    pattern: VISIBLE_PATTERN,
  }),
};

/** A new password. */
export const NewPasswordField = (description: string, required: boolean, example = EXAMPLE): PropertyDecorator =>
  TypedField(password, description, { required, nullable: false, writeOnly: true, example });

/** A password to compare with the stored one. The rules for new passwords do not apply to it. */
export const CurrentPasswordField = (description: string): PropertyDecorator =>
  LineField(description, { required: true, maxLength: MAX_PASSWORD, writeOnly: true, example: EXAMPLE });
