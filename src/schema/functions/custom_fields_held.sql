-- Lets every new record be held from now on where a definition is required or has a default. It comes as late as it may, because the
-- table is locked from then on until the transaction ends. Where no definition asks for it any more, the housekeeping ends it
-- (rest_custom_fields.sql): who deletes a definition has locks that writes wait for, and must not wait for them.
CREATE OR REPLACE FUNCTION custom_fields_held() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' OR OLD.resources <> NEW.resources OR NOT (OLD.required OR OLD.default_value IS NOT NULL) THEN
    PERFORM hold_new_custom_fields(owner) FROM unnest(NEW.resources) owner ORDER BY owner;
  END IF;
  RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION custom_fields_held() FROM PUBLIC;

-- A constraint trigger cannot be replaced.
DROP TRIGGER IF EXISTS custom_fields_held ON custom_fields;

CREATE CONSTRAINT TRIGGER custom_fields_held AFTER INSERT OR UPDATE ON custom_fields DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.required OR NEW.default_value IS NOT NULL) EXECUTE FUNCTION custom_fields_held();
