import { SqlMigration } from './sql-migration.js';

/** What serves the questions who is on call, and what is missing, however many shifts there were. */
const up = [
  // Shifts at a time, or within a window.
  'CREATE INDEX ix_on_call_schedules_hours ON on_call_schedules USING gist (tstzrange(start_time, end_time))',
  // The rosters that count: with their names, so that the shifts themselves need not be read.
  'CREATE INDEX ix_on_call_schedules_end ON on_call_schedules (end_time) INCLUDE (rotation, name)',
  // The next shift of a roster.
  'CREATE INDEX ix_on_call_schedules_roster ON on_call_schedules (coalesce(rotation, name), start_time, id)',
];

const down = [
  'DROP INDEX ix_on_call_schedules_roster',
  'DROP INDEX ix_on_call_schedules_end',
  'DROP INDEX ix_on_call_schedules_hours',
];

export class OnCall1795340000000 extends SqlMigration {
  readonly name = 'OnCall1795340000000';
  protected readonly statements = { up, down };
}
