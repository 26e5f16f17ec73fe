-- The status of an asset follows its assignments.
CREATE OR REPLACE FUNCTION follow_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE assets SET status = 'in_use' FROM new_rows n
      WHERE assets.id = n.asset_id AND n.returned_at IS NULL AND assets.status IN ('in_stock', 'reserved');
  ELSE
    -- The rows are not joined: a kept plan expects one of each, and would compare each with all others.
    UPDATE assets SET status = 'in_stock' FROM (
      SELECT id, asset_id FROM new_rows WHERE returned_at IS NOT NULL
      EXCEPT SELECT id, asset_id FROM old_rows WHERE returned_at IS NOT NULL
    ) ended WHERE assets.id = ended.asset_id AND assets.status = 'in_use';
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER asset_assignments_follow_insert AFTER INSERT ON asset_assignments
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_assignments();

CREATE OR REPLACE TRIGGER asset_assignments_follow_update AFTER UPDATE ON asset_assignments
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION follow_assignments();
