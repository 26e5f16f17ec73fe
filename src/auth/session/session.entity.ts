import { Column, Index } from 'typeorm';
import { LineField, OwnerField, TimestampField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Profile } from '../profile/profile.entity.js';

/** An open login. Only the client has the token itself; the database has its SHA-256. */
@RecordEntity('sessions', { area: null, logged: false })
export class Session extends StoredRecord {
  @OwnerField(() => Profile, 'Profile that logged in') profileId!: string;
  @TimestampField('Last request, to the minute', { nullable: false, readOnly: true }) lastSeenAt!: string;
  @TimestampField('When it ends at the latest', { nullable: false, readOnly: true }) expiresAt!: string;
  @LineField('Address that logged in', { readOnly: true, example: '192.0.2.10' }) remoteAddress!: string | null;
  @LineField('User-Agent that logged in', { readOnly: true, example: 'curl/8.5.0' }) userAgent!: string | null;
  @Index({ unique: true }) @Column({ type: 'bytea' }) tokenHash!: Buffer;
}
