import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells every replica whose sessions it must look up anew: the profile of a session that ended, or that changed. */
const up: string[] = [
  `CREATE FUNCTION session_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_changes', CASE TG_TABLE_NAME WHEN 'sessions' THEN to_jsonb(OLD)->>'profile_id' ELSE OLD.id::text END);
  RETURN NULL;
END
$$`,
  `CREATE TRIGGER sessions_changes AFTER DELETE OR UPDATE OF profile_id, token_hash, expires_at ON sessions
  FOR EACH ROW EXECUTE FUNCTION session_changes()`,
  `CREATE TRIGGER profiles_changes AFTER DELETE OR UPDATE ON profiles
  FOR EACH ROW EXECUTE FUNCTION session_changes()`,
];

const down: string[] = [
  'DROP TRIGGER profiles_changes ON profiles',
  'DROP TRIGGER sessions_changes ON sessions',
  'DROP FUNCTION session_changes()',
];

export class SessionChanges1795219200010 implements MigrationInterface {
  name = 'SessionChanges1795219200010';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
