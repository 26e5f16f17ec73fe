import { ApiProperty } from '@nestjs/swagger';
import { AREAS, ROLES, type Area, type Role } from '../../access/access.js';
import { addBodyRule, CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { BooleanField, EnumField, SetField, TimestampField, UuidField } from '../../fields/fields.js';
import { Fault } from '../../http/errors.js';
import { NetworksField } from './networks.field.js';
import { Token } from './token.entity.js';

const DAY_MS = 86_400_000;
export const DEFAULT_DAYS = 90;
export const MAX_DAYS = 366;

export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

export class CreateToken extends CreateBody(Token) {
  @UuidField('Profile that the token belongs to; by default your own. Only administrators may give another', {
    nullable: false,
  })
  override profileId?: string;
  @TimestampField(
    `Time at which it expires, at most ${MAX_DAYS} days from now; by default ${DEFAULT_DAYS} days from now`,
    {
      nullable: false,
      example: undefined,
    },
  )
  override expiresAt?: string;
  @EnumField('Role, at most that of the profile; by default that of the profile', 'Role', ROLES, {
    nullable: false,
  })
  override role?: Role;
  @SetField('Areas, a subset of those of the profile; by default all of them', {
    values: AREAS,
    enumName: 'Area',
    default: undefined,
    nullable: false,
    example: ['network'],
  })
  override areas?: Area[];
  @BooleanField('Whether requests with it may only read') override readOnly?: boolean;
  @NetworksField('Networks that it may be used from, in CIDR notation; `[]` means anywhere')
  override allowedNetworks?: string[];
}

addBodyRule(CreateToken, ({ expiresAt }) => {
  const time = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  if (time <= Date.now()) return new Fault('expiresAt', 'must be in the future');
  return time > Date.now() + MAX_DAYS * DAY_MS
    ? new Fault('expiresAt', `must be within ${MAX_DAYS} days from now`)
    : undefined;
});

export class UpdateToken extends UpdateBody(Token) {}

/** A token in the response to its creation. */
export class IssuedToken extends Token {
  @ApiProperty({
    description: 'The token, to be sent as `Authorization: Bearer …`. It is shown only in this response',
    example: 'iio_4fQ2mZ8rT1xW_9KcVb2Nq7LhYt4RsPw1XzGd6MjFa3EuQo8TiBn5Ck0S1dR7y',
    readOnly: true,
  })
  token!: string;
}
