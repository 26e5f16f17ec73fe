-- Deleting a person takes back what they hold. Who hands out or takes back locks the asset before its assignment, and so
-- does this. An assignment that was made while the delete waited for that lock began after its now().
CREATE OR REPLACE FUNCTION end_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM assets WHERE id IN (SELECT asset_id FROM asset_assignments WHERE person_id = OLD.id AND returned_at IS NULL)
    ORDER BY id FOR NO KEY UPDATE;
  UPDATE asset_assignments SET returned_at = greatest(assigned_at, now())
    WHERE person_id = OLD.id AND returned_at IS NULL;
  RETURN OLD;
END
$$;

CREATE OR REPLACE TRIGGER people_end_assignments BEFORE DELETE ON people FOR EACH ROW EXECUTE FUNCTION end_assignments();
