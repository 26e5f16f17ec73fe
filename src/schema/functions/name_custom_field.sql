-- Gives a new custom field the name that its values are stored by, which no other field ever had: its key, or where another field has
-- or had the same key, the key with a number. Values of a field that is gone never come back with a new one.
CREATE OR REPLACE FUNCTION name_custom_field() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  earlier bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('custom_fields'), 0);
  SELECT count(*) INTO earlier FROM custom_field_names n WHERE n.key = NEW.key;
  NEW.stored_as := CASE earlier WHEN 0 THEN NEW.key ELSE NEW.key || '#' || earlier + 1 END;
  INSERT INTO custom_field_names (stored_as, key) VALUES (NEW.stored_as, NEW.key);
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER custom_fields_name BEFORE INSERT ON custom_fields FOR EACH ROW EXECUTE FUNCTION name_custom_field();

CREATE OR REPLACE TRIGGER custom_fields_fixed BEFORE UPDATE OF key, type, target, stored_as ON custom_fields
  FOR EACH ROW WHEN ((NEW.key, NEW.type, NEW.target, NEW.stored_as) IS DISTINCT FROM (OLD.key, OLD.type, OLD.target, OLD.stored_as))
  EXECUTE FUNCTION keep_fixed('ck_custom_fields_fixed');
