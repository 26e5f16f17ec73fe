-- Tells every process that the definitions have changed.
CREATE OR REPLACE FUNCTION custom_fields_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('custom_fields', '');
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER custom_fields_notify AFTER INSERT OR UPDATE OR DELETE ON custom_fields FOR EACH STATEMENT
  EXECUTE FUNCTION custom_fields_changed();
