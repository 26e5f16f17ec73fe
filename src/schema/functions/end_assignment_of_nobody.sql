-- A restored asset comes back with its assignments. If the person of an open one was deleted while the asset did not
-- exist, the assignment ends here, as it would have with the person.
CREATE OR REPLACE FUNCTION end_assignment_of_nobody() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.returned_at := greatest(NEW.assigned_at, now());
  UPDATE assets SET status = 'in_stock' WHERE id = NEW.asset_id AND status = 'in_use';
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER asset_assignments_of_nobody BEFORE INSERT ON asset_assignments
  FOR EACH ROW WHEN (NEW.person_id IS NULL AND NEW.returned_at IS NULL)
  EXECUTE FUNCTION end_assignment_of_nobody();
