import { SqlMigration } from './sql-migration.js';

/*
 * Deleting a person takes back what they hold. The person is locked before the trigger runs, so no asset can be handed to
 * them meanwhile; an assignment that was made while the delete waited for that lock began after its now().
 */
const up = [
  `CREATE FUNCTION end_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE asset_assignments SET returned_at = greatest(assigned_at, now())
    WHERE person_id = OLD.id AND returned_at IS NULL;
  RETURN OLD;
END
$$`,
  `CREATE TRIGGER people_end_assignments BEFORE DELETE ON people FOR EACH ROW EXECUTE FUNCTION end_assignments()`,
];

const down = ['DROP TRIGGER people_end_assignments ON people', 'DROP FUNCTION end_assignments()'];

export class EndAssignments1795311600000 extends SqlMigration {
  readonly name = 'EndAssignments1795311600000';
  protected readonly statements = { up, down };
}
