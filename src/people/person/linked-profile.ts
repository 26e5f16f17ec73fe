import { ApiProperty } from '@nestjs/swagger';
import { ROLES } from '../../access/access.js';

/** The login profile that a person is linked to, as the person's record shows it. */
export class LinkedProfile {
  @ApiProperty({ description: 'Identifier of the profile', format: 'uuid' }) id!: string;
  @ApiProperty({ description: 'Email address to log in with', format: 'email' }) email!: string;
  @ApiProperty({ description: 'Role', enum: ROLES, enumName: 'Role' }) role!: string;
  @ApiProperty({ description: 'Whether the profile can log in' }) isActive!: boolean;
}
