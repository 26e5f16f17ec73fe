import { CreateBody, UpdateBody } from '../fields/bodies.js';
import { defineField, RequestBody } from '../fields/field.js';
import { LineField } from '../fields/fields.js';
import { password } from '../fields/field-types.js';
import { Profile } from './profile/profile.entity.js';

/** A password that is being set. */
const NewPasswordField =
  (description: string, required: boolean, example = 'correct horse battery staple'): PropertyDecorator =>
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

const CurrentPasswordField = (description: string): PropertyDecorator =>
  LineField(description, { required: true, maxLength: 1024, writeOnly: true, example: 'correct horse battery staple' });

export class Credentials extends RequestBody {
  // Any text: an email that is none is as wrong as one that is unknown, and answered alike.
  @LineField('Email address of the profile', { required: true, maxLength: 1024, example: 'admin@example.com' })
  email!: string;
  @CurrentPasswordField('Password') password!: string;
}

export class ChangePassword extends RequestBody {
  @CurrentPasswordField('The password until now') currentPassword!: string;
  @NewPasswordField('The password from now on', true, 'a better horse battery staple') newPassword!: string;
}

export class CreateProfile extends CreateBody(Profile) {
  @NewPasswordField('Password to log in with', true) password!: string;
}

export class UpdateProfile extends UpdateBody(Profile) {
  @NewPasswordField('Password to log in with; changing it ends the sessions of the profile', false) password?: string;
}
