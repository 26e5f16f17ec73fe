import { IsString } from 'class-validator';
import { LineField, TypedField } from '../../fields/fields.js';
import { Invalid, type FieldType } from '../../fields/types/field-type.js';
import { textConstraint } from '../../fields/types/own-constraint.js';
import { IsNotBlank, IsStorableText, MaxCodePoints, MinCodePoints, text } from '../../fields/types/text.js';
import { valueReader } from '../../fields/validation.js';
import { VISIBLE_PATTERN } from '../../fields/types/visible.js';
import { isCommonPassword } from './common-passwords.js';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 1024;
const EXAMPLE = 'correct horse battery staple';

const IsUncommonPassword = textConstraint(
  'isUncommonPassword',
  (value) => !isCommonPassword(value),
  'is on the list of common passwords, which are tried first',
);

/** A new password. It is stored unchanged. */
export const password: FieldType = {
  ...text,
  constraints: () => [
    IsString({ message: 'must be a string' }),
    MinCodePoints(MIN_PASSWORD),
    IsNotBlank(),
    MaxCodePoints(MAX_PASSWORD),
    IsStorableText(),
    IsUncommonPassword(),
  ],
  schema: () => ({
    type: 'string',
    format: 'password',
    minLength: MIN_PASSWORD,
    maxLength: MAX_PASSWORD,
    pattern: VISIBLE_PATTERN,
  }),
};

const readPassword = valueReader({ type: password });

/** The reason for refusing a new password, or undefined. The password is not part of it. */
export function passwordFault(value: unknown): string | undefined {
  const read = readPassword(value);
  return read instanceof Invalid ? read.message : undefined;
}

/** A new password. */
export const NewPasswordField = (description: string, required: boolean, example = EXAMPLE): PropertyDecorator =>
  TypedField(password, description, { required, nullable: false, writeOnly: true, example });

/** A password to compare with the stored one. The rules for new passwords do not apply to it. */
export const CurrentPasswordField = (description: string): PropertyDecorator =>
  LineField(description, { required: true, maxLength: MAX_PASSWORD, writeOnly: true, example: EXAMPLE });
