-- A region is never its own ancestor. Two changes that are harmless alone can close a circle together, so changes of
-- parents take turns: the second waits until the first has ended, and then sees it. A new region cannot close a circle,
-- as nothing lies within it yet.
CREATE OR REPLACE FUNCTION regions_ancestry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('regions.parent_id'));
  IF EXISTS (
    WITH RECURSIVE ancestors AS (
      SELECT NEW.parent_id AS id
      UNION
      SELECT r.parent_id FROM regions r JOIN ancestors a ON a.id = r.id WHERE r.parent_id IS NOT NULL
    )
    SELECT FROM ancestors WHERE id = NEW.id
  ) THEN
    RAISE EXCEPTION 'a region cannot be its own ancestor'
      USING ERRCODE = 'check_violation', TABLE = 'regions', CONSTRAINT = 'ck_regions_parent_id';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER regions_ancestry BEFORE UPDATE OF parent_id ON regions
  FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL AND NEW.parent_id IS DISTINCT FROM OLD.parent_id)
  EXECUTE FUNCTION regions_ancestry();
