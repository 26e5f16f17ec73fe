import { Column } from 'typeorm';
import { AREAS, ROLES, type Area, type Role } from '../../access/access.js';
import { BooleanField, EnumField, JoinedField, LineField, SetField, NameField } from '../../fields/fields.js';
import { OwnerField, TimestampField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Profile } from '../profile/profile.entity.js';
import { NetworksField } from './networks.field.js';

const EXAMPLE_PREFIX = 'iio_4fQ2mZ8rT1xW';

/** A credential for programs. Only its holder has the token itself; the database has the SHA-256 of its secret. */
@RecordEntity('tokens', { area: null, withheld: ['secret_hash'], listed: true })
export class Token extends StoredRecord {
  @NameField('Name of the token, for example its purpose', { example: 'nightly import' }) name!: string;
  @OwnerField(() => Profile, 'Profile that it belongs to. The token never has more rights than the profile')
  profileId!: string;
  @JoinedField('profileId', 'email', 'Email address of that profile', { example: 'ada@example.com' })
  profileEmail!: string;
  @LineField('Beginning of its text: `iio_` and its public id', {
    readOnly: true,
    nullable: false,
    unique: true,
    example: EXAMPLE_PREFIX,
  })
  prefix!: string;
  @EnumField('Its role. If the role of the profile is lower, that role counts', 'Role', ROLES, {
    readOnly: true,
    nullable: false,
  })
  role!: Role;
  @SetField('Areas that the token may access. Those that its profile lacks are ignored', {
    values: AREAS,
    enumName: 'Area',
    default: undefined,
    nullable: false,
    readOnly: true,
    example: [...AREAS],
  })
  areas!: Area[];
  @BooleanField('Whether requests with it may only read', { readOnly: true }) readOnly!: boolean;
  @NetworksField('Networks that it may be used from; `[]` means anywhere', true) allowedNetworks!: string[];
  @TimestampField('When it ends', { readOnly: true, nullable: false }) expiresAt!: string;
  @TimestampField('Time of its last use, to the minute', { readOnly: true }) lastUsedAt!: string | null;
  @LineField('Client address of its last use', { readOnly: true, example: '192.0.2.10' })
  lastUsedAddress!: string | null;
  /** Not a field, because no request and no response contains it. */
  @Column({ type: 'bytea' }) secretHash!: Buffer;
}
