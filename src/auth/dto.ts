import { CreateBody, UpdateBody } from '../fields/bodies.js';
import { RequestBody } from '../fields/field.js';
import { LineField } from '../fields/fields.js';
import { CurrentPasswordField, NewPasswordField } from './password.field.js';
import { Profile } from './profile/profile.entity.js';

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
