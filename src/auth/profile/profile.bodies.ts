import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { NewPasswordField } from '../password/password.field.js';
import { Profile } from './profile.entity.js';

export class CreateProfile extends CreateBody(Profile) {
  @NewPasswordField('Password to log in with', true) password!: string;
}

export class UpdateProfile extends UpdateBody(Profile) {
  @NewPasswordField('Password to log in with; changing it ends the sessions of the profile', false) password?: string;
}
