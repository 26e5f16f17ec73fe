import type { MigrationInterface, QueryRunner } from 'typeorm';

const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`;

const COLUMNS = `"hours" tstzrange NOT NULL, "content" jsonb NOT NULL, "sequence" integer NOT NULL DEFAULT '0', "removed" boolean NOT NULL DEFAULT false, "changed_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now()`;

/**
 * Events of calendars were stored for each feed, and are now for each kind. Of the versions that feeds have of one event the latest
 * stays, with the highest number, so that no program sees a number fall. A removed shift stays with the roster and the person of the
 * feed that it was removed from.
 */
const up = [
  'ALTER TABLE calendar_events RENAME TO calendar_events_of_feeds',
  'ALTER INDEX pk_calendar_events RENAME TO pk_calendar_events_of_feeds',
  `CREATE TABLE "calendar_events" ("kind" character varying(32) NOT NULL, "uid" text NOT NULL, "roster" text NOT NULL, "person_id" uuid NOT NULL, ${COLUMNS}, CONSTRAINT "pk_calendar_events" PRIMARY KEY ("kind", "uid", "roster", "person_id"))`,
  `INSERT INTO calendar_events (kind, uid, roster, person_id, hours, content, sequence, removed, changed_at)
   SELECT DISTINCT ON (kind, uid, roster, person_id) kind, uid, roster, person_id, hours, content,
     max(sequence) OVER (PARTITION BY kind, uid, roster, person_id), removed, changed_at
   FROM (
     SELECT f.kind, e.uid, e.hours, e.content, e.sequence, e.removed, e.changed_at,
       CASE f.kind WHEN 'on-call' THEN
         CASE WHEN e.removed THEN coalesce(f.roster, s.rotation, s.name, '') ELSE coalesce(s.rotation, s.name, f.roster, '') END
         ELSE '' END AS roster,
       CASE f.kind WHEN 'on-call' THEN
         coalesce(CASE WHEN e.removed THEN coalesce(f.person_id, s.person_id) WHEN s.id IS NULL THEN f.person_id ELSE s.person_id END, ${NOBODY})
         ELSE ${NOBODY} END AS person_id
     FROM calendar_events_of_feeds e JOIN calendar_feeds f ON f.id = e.feed_id
       LEFT JOIN on_call_schedules s ON e.uid = 'shift-' || s.id
   ) former ORDER BY kind, uid, roster, person_id, changed_at DESC, removed`,
  'DROP TABLE calendar_events_of_feeds',
];

const down = [
  'ALTER TABLE calendar_events RENAME TO calendar_events_of_kinds',
  'ALTER INDEX pk_calendar_events RENAME TO pk_calendar_events_of_kinds',
  `CREATE TABLE "calendar_events" ("feed_id" uuid NOT NULL, "uid" text NOT NULL, ${COLUMNS}, CONSTRAINT "pk_calendar_events" PRIMARY KEY ("feed_id", "uid"))`,
  'ALTER TABLE "calendar_events" ADD CONSTRAINT "fk_calendar_events_feed_id" FOREIGN KEY ("feed_id") REFERENCES "calendar_feeds"("id") ON DELETE CASCADE ON UPDATE NO ACTION',
  `INSERT INTO calendar_events (feed_id, uid, hours, content, sequence, removed, changed_at)
   SELECT DISTINCT ON (f.id, e.uid) f.id, e.uid, e.hours, e.content, (sum(e.sequence) OVER (PARTITION BY f.id, e.uid))::int, e.removed, e.changed_at
   FROM calendar_events_of_kinds e JOIN calendar_feeds f ON f.kind = e.kind
     AND (f.roster IS NULL OR f.roster = e.roster) AND (f.person_id IS NULL OR f.person_id = e.person_id)
   WHERE NOT e.removed OR e.changed_at > f.created_at
   ORDER BY f.id, e.uid, e.removed, e.changed_at DESC`,
  'DROP TABLE calendar_events_of_kinds',
];

export class CalendarEvents1795700000008 implements MigrationInterface {
  readonly name = 'CalendarEvents1795700000008';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
