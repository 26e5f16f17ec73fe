-- A location is never its own ancestor. Two changes that are harmless alone can close a circle together, so changes of
-- parents take turns: the second waits until the first has ended, and then sees it. A new location cannot close a circle,
-- as nothing lies within it yet.
CREATE OR REPLACE FUNCTION locations_ancestry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('locations.parent_id'));
  IF EXISTS (
    WITH RECURSIVE ancestors AS (
      SELECT NEW.parent_id AS id
      UNION
      SELECT l.parent_id FROM locations l JOIN ancestors a ON a.id = l.id WHERE l.parent_id IS NOT NULL
    )
    SELECT FROM ancestors WHERE id = NEW.id
  ) THEN
    RAISE EXCEPTION 'a location cannot be its own ancestor'
      USING ERRCODE = 'check_violation', TABLE = 'locations', CONSTRAINT = 'ck_locations_parent_id';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER locations_ancestry BEFORE UPDATE OF parent_id ON locations
  FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL AND NEW.parent_id IS DISTINCT FROM OLD.parent_id)
  EXECUTE FUNCTION locations_ancestry();
