import { trackRecords, untrackRecords } from './record-table.js';
import { SqlMigration } from './sql-migration.js';

/* Calendar feeds, the events that they have shown, and indexes over the times of what they show. */

const FEEDS = `CREATE TABLE calendar_feeds (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    name varchar(255) NOT NULL,
    profile_id uuid NOT NULL,
    kind varchar(32) NOT NULL,
    roster varchar(255),
    person_id uuid,
    secret_hash bytea NOT NULL,
    CONSTRAINT ck_kind CHECK (kind IN ('on-call', 'maintenance', 'changes', 'expirations')),
    CONSTRAINT ck_narrowing CHECK (kind = 'on-call' OR (roster IS NULL AND person_id IS NULL)),
    CONSTRAINT pk_calendar_feeds PRIMARY KEY (id),
    CONSTRAINT fk_calendar_feeds_profile_id FOREIGN KEY (profile_id) REFERENCES profiles (id) ON DELETE CASCADE
  )`;

const EVENTS = `CREATE TABLE calendar_events (
    feed_id uuid NOT NULL,
    uid text NOT NULL,
    hours tstzrange NOT NULL,
    content jsonb NOT NULL,
    sequence integer NOT NULL DEFAULT 0,
    removed boolean NOT NULL DEFAULT false,
    changed_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT pk_calendar_events PRIMARY KEY (feed_id, uid),
    CONSTRAINT fk_calendar_events_feed_id FOREIGN KEY (feed_id) REFERENCES calendar_feeds (id) ON DELETE CASCADE
  )`;

const up = [
  FEEDS,
  'CREATE INDEX ix_calendar_feeds_created_at_id ON calendar_feeds (created_at, id)',
  'CREATE INDEX ix_calendar_feeds_profile_id ON calendar_feeds (profile_id)',
  'CREATE UNIQUE INDEX ix_calendar_feeds_secret_hash ON calendar_feeds (secret_hash)',
  ...trackRecords('calendar_feeds', { secrets: ['secret_hash'], list: { lines: ['name'] } }),
  EVENTS,
  // Finished and cancelled ones too, which the indexes of pending work leave out.
  'CREATE INDEX ix_maintenance_windows_hours ON maintenance_windows USING gist (tstzrange(start_time, end_time))',
  'CREATE INDEX ix_change_requests_scheduled_for ON change_requests (scheduled_for)',
];

const down = [
  'DROP INDEX ix_change_requests_scheduled_for',
  'DROP INDEX ix_maintenance_windows_hours',
  'DROP TABLE calendar_events',
  ...untrackRecords('calendar_feeds'),
  'DROP TABLE calendar_feeds',
];

export class CalendarFeeds1795350000000 extends SqlMigration {
  readonly name = 'CalendarFeeds1795350000000';
  protected readonly statements = { up, down };
}
