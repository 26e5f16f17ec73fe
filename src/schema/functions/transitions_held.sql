-- Makes the triggers that hold transitions where a first one is defined, and drops them with the last one: where nothing is defined,
-- nothing costs anything. Writers of the table share a lock that this takes alone, so that each write knows all definitions or none.
-- With the rights of the owner, because a trigger is made by nobody else.
CREATE OR REPLACE FUNCTION transitions_held() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  of_resource constant text := coalesce(NEW.resource, OLD.resource);
  of_field constant text := coalesce(NEW.field, OLD.field);
BEGIN
  PERFORM hold_transitions_of(of_resource, of_field);
  PERFORM pg_notify('transitions', '');
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER transitions_held AFTER INSERT OR DELETE ON transitions FOR EACH ROW EXECUTE FUNCTION transitions_held();

-- Before the change is logged, so that the log has it in its place among the moves.
CREATE OR REPLACE TRIGGER transitions_held_change BEFORE UPDATE ON transitions FOR EACH ROW EXECUTE FUNCTION transitions_held();

CREATE OR REPLACE TRIGGER transitions_fixed BEFORE UPDATE OF resource, field, from_value, to_value ON transitions
  FOR EACH ROW WHEN ((NEW.resource, NEW.field, NEW.from_value, NEW.to_value) IS DISTINCT FROM (OLD.resource, OLD.field, OLD.from_value, OLD.to_value))
  EXECUTE FUNCTION keep_fixed('ck_transitions_fixed');

REVOKE ALL ON FUNCTION transitions_held() FROM PUBLIC;
