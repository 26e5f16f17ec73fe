import { SqlMigration } from './sql-migration.js';

/*
 * An assignment keeps the person's name and email address as they were when the asset was handed out, and the status of
 * the asset follows its assignments.
 */

const columns = [
  'ALTER TABLE asset_assignments ADD person_name varchar(255)',
  'ALTER TABLE asset_assignments ADD person_email varchar(255)',
];

/** SQL of a column of the person `$person` at `$at`: the first change after that time tells what it was, if there is one. */
const formerly = (column: string): string => `
  SELECT true AS found, c.old_values->>'${column}' AS value FROM change_log c
  WHERE c.resource = 'people' AND c.record_id = whose.person_id AND c.created_at > whose.assigned_at AND c.old_values ? '${column}'
  ORDER BY c.id LIMIT 1`;

// Whom an assignment was of is in the change log, where that person has been deleted. What is filled in was so all along: it
// is no change of the record.
const fill = [
  'ALTER TABLE asset_assignments DISABLE TRIGGER USER',
  `UPDATE asset_assignments a SET person_name = left(known.name, 255), person_email = left(known.email, 255) FROM (
    SELECT whose.id,
      CASE WHEN former_name.found THEN former_name.value ELSE p.full_name END AS name,
      CASE WHEN former_email.found THEN former_email.value ELSE p.email END AS email
    FROM (
      SELECT id, assigned_at, coalesce(person_id, (
        SELECT (c.old_values->>'person_id')::uuid FROM change_log c
        WHERE c.resource = 'asset-assignments' AND c.record_id = asset_assignments.id AND c.action = 'update'
          AND c.old_values->>'person_id' IS NOT NULL
        ORDER BY c.id DESC LIMIT 1
      )) AS person_id FROM asset_assignments
    ) whose
    LEFT JOIN people p ON p.id = whose.person_id
    LEFT JOIN LATERAL (${formerly('full_name')}) former_name ON true
    LEFT JOIN LATERAL (${formerly('email')}) former_email ON true
  ) known WHERE known.id = a.id`,
  'ALTER TABLE asset_assignments ENABLE TRIGGER USER',
];

const follow = [
  `CREATE FUNCTION follow_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE assets SET status = 'in_use' FROM new_rows n
      WHERE assets.id = n.asset_id AND n.returned_at IS NULL AND assets.status IN ('in_stock', 'reserved');
  ELSE
    UPDATE assets SET status = 'in_stock' FROM old_rows o JOIN new_rows n USING (id)
      WHERE assets.id = n.asset_id AND o.returned_at IS NULL AND n.returned_at IS NOT NULL AND assets.status = 'in_use';
  END IF;
  RETURN NULL;
END
$$`,
  `CREATE TRIGGER asset_assignments_follow_insert AFTER INSERT ON asset_assignments REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION follow_assignments()`,
  `CREATE TRIGGER asset_assignments_follow_update AFTER UPDATE ON asset_assignments
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_assignments()`,
];

const unfollow = [
  'DROP TRIGGER asset_assignments_follow_update ON asset_assignments',
  'DROP TRIGGER asset_assignments_follow_insert ON asset_assignments',
  'DROP FUNCTION follow_assignments()',
];

/** @param lock statement before the assignments end: who hands out or takes back locks the asset before its assignment */
const endAssignments = (
  lock: string,
): string => `CREATE OR REPLACE FUNCTION end_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN${lock}
  UPDATE asset_assignments SET returned_at = greatest(assigned_at, now())
    WHERE person_id = OLD.id AND returned_at IS NULL;
  RETURN OLD;
END
$$`;

const LOCK_ASSETS = `
  PERFORM 1 FROM assets WHERE id IN (SELECT asset_id FROM asset_assignments WHERE person_id = OLD.id AND returned_at IS NULL)
    ORDER BY id FOR NO KEY UPDATE;`;

export class Holders1795342000001 extends SqlMigration {
  readonly name = 'Holders1795342000001';
  protected readonly statements = {
    up: [...columns, ...fill, ...follow, endAssignments(LOCK_ASSETS)],
    down: [
      endAssignments(''),
      ...unfollow,
      'ALTER TABLE asset_assignments DROP COLUMN person_email',
      'ALTER TABLE asset_assignments DROP COLUMN person_name',
    ],
  };
}
