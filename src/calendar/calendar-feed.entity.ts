import { Check, Column, Index } from 'typeorm';
import { Profile } from '../auth/profile/profile.entity.js';
import { defineRule } from '../fields/bodies/rules.js';
import { EnumField, JoinedField, LineField, NameField, OwnerField, UuidField } from '../fields/fields.js';
import { StoredRecord } from '../fields/record.js';
import { RecordEntity } from '../fields/record-entity.js';

defineRule('ck_narrowing', 'kind', 'must be on-call to have a roster or a person');

export const FEED_KINDS = ['on-call', 'maintenance', 'changes', 'expirations', 'bookings'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** A calendar that programs subscribe to. Only its owner has its address; the database has the SHA-256 of the secret in it. */
@RecordEntity('calendar_feeds', { area: null, withheld: ['secret_hash'], listed: true })
// Only shifts have a roster and a person.
@Check('ck_narrowing', `kind = 'on-call' OR (roster IS NULL AND person_id IS NULL)`)
@Index(['secretHash'], { unique: true })
export class CalendarFeed extends StoredRecord {
  @NameField('Name of the feed, which is the name of the calendar', { example: 'On call' }) name!: string;
  @OwnerField(() => Profile, 'Profile that it belongs to, with whose rights it is read') profileId!: string;
  @JoinedField('profileId', 'email', 'Email address of that profile', { example: 'ada@example.com' })
  profileEmail!: string;
  @EnumField('Kind of the events in the calendar', 'CalendarFeedKind', FEED_KINDS, { readOnly: true, nullable: false })
  kind!: FeedKind;
  @LineField('Roster whose shifts it shows; null for all', { readOnly: true, example: 'Network' })
  roster!: string | null;
  // Not a foreign key: if it became null, the feed would show everybody's shifts.
  @UuidField('Person whose shifts it shows; null for all', { readOnly: true }) personId!: string | null;
  /** Not a field, because no request and no response contains it. */
  @Column({ type: 'bytea' }) secretHash!: Buffer;
}
