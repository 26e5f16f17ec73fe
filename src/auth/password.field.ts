import { defineField } from '../fields/field.js';
import { codePoints, text, VISIBLE_PATTERN, type FieldType } from '../fields/field-types.js';
import { LineField } from '../fields/fields.js';
import { isCommonPassword } from './common-passwords.js';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 1024;
const EXAMPLE = 'correct horse battery staple';

/** A password that is being set: long enough, not a common one, and kept whole. */
export const password: FieldType = {
  ...text,
  check: (value) => {
    if (typeof value !== 'string') return 'must be a string';
    if (codePoints(value) < MIN_PASSWORD) return `must be at least ${MIN_PASSWORD} characters long`;
    const fault = text.check(value, { maxLength: MAX_PASSWORD, notBlank: true });
    return fault ?? (isCommonPassword(value) ? 'is on the list of common passwords, which are tried first' : undefined);
  },
  schema: () => ({
    type: 'string',
    format: 'password',
    minLength: MIN_PASSWORD,
    maxLength: MAX_PASSWORD,
    pattern: VISIBLE_PATTERN,
  }),
};

/** A password that is being set. */
export const NewPasswordField =
  (description: string, required: boolean, example = EXAMPLE): PropertyDecorator =>
  (prototype, property) =>
    defineField(prototype.constructor as never, property as string, {
      type: password,
      description,
      required,
      nullable: false,
      readOnly: false,
      writeOnly: true,
      example,
    });

/** A password that is compared with the stored one. Any text: the rules for new passwords do not apply to it. */
export const CurrentPasswordField = (description: string): PropertyDecorator =>
  LineField(description, { required: true, maxLength: MAX_PASSWORD, writeOnly: true, example: EXAMPLE });
