import { Column } from 'typeorm';
import { AREAS, ROLES, type Area, type Role } from '../../access/access.js';
import { BooleanField, EnumField, JoinedField, LineField, ListField, NameField } from '../../fields/fields.js';
import { OwnerField, TimestampField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Profile } from '../profile/profile.entity.js';
import { NetworksField } from './networks.field.js';

const EXAMPLE_PREFIX = 'iio_4fQ2mZ8rT1xW';

/** A credential for programs. The token itself is with its holder only; the database has the SHA-256 of its secret. */
@RecordEntity('tokens', { area: null, withheld: ['secret_hash'], listed: true })
export class Token extends StoredRecord {
  @NameField('Name of the token: what it is for', { example: 'nightly import' }) name!: string;
  @OwnerField(() => Profile, 'Profile that it belongs to, whose rights it never exceeds') profileId!: string;
  @JoinedField('profileId', 'email', 'Email address of that profile', { example: 'ada@example.com' })
  profileEmail!: string;
  @LineField('What its text begins with: `iio_` and its public id', {
    readOnly: true,
    nullable: false,
    unique: true,
    example: EXAMPLE_PREFIX,
  })
  prefix!: string;
  @EnumField('Its role; while that of the profile is less, the role of the profile counts', 'Role', ROLES, {
    readOnly: true,
    nullable: false,
  })
  role!: Role;
  @ListField('Its areas, of which those count that the profile has', {
    values: AREAS,
    enumName: 'Area',
    default: undefined,
    nullable: false,
    readOnly: true,
    example: [...AREAS],
  })
  areas!: Area[];
  @BooleanField('Whether it refuses every request that may change something', { readOnly: true }) readOnly!: boolean;
  @NetworksField('Networks that it can be used from; `[]` means anywhere', true) allowedNetworks!: string[];
  @TimestampField('When it ends', { readOnly: true, nullable: false }) expiresAt!: string;
  @TimestampField('When it was last used, to the minute', { readOnly: true }) lastUsedAt!: string | null;
  @LineField('Address that it was last used from', { readOnly: true, example: '192.0.2.10' })
  lastUsedAddress!: string | null;
  /** Not a field: it is in no request and no response. */
  @Column({ type: 'bytea' }) secretHash!: Buffer;
}
