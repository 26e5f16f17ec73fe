import { RequestBody } from '../fields/field.js';
import { LineField } from '../fields/fields.js';
import { CurrentPasswordField, NewPasswordField } from './password/password.field.js';

export class Credentials extends RequestBody {
  // Any text: a malformed email address gets the same response as an unknown one.
  @LineField('Email address of the profile', { required: true, maxLength: 1024, example: 'admin@example.com' })
  email!: string;
  @CurrentPasswordField('Password') password!: string;
}

export class ChangePassword extends RequestBody {
  @CurrentPasswordField('Current password') currentPassword!: string;
  @NewPasswordField('New password', true, 'a better horse battery staple') newPassword!: string;
}
