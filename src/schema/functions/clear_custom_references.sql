-- Clears the custom fields that refer to deleted records, and the defaults of fields that do. Each is an ordinary change of its record,
-- or of the definition. The argument is the resource of the deleted ones.
CREATE OR REPLACE FUNCTION clear_custom_references() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  referrer record;
BEGIN
  FOR referrer IN SELECT d.stored_as, replace(owner, '-', '_') AS table_name FROM custom_fields d, unnest(d.resources) owner
      WHERE d.type = 'reference' AND d.target = TG_ARGV[0] LOOP
    EXECUTE format('UPDATE %I t SET custom_fields = t.custom_fields - %L FROM changed
      WHERE t.custom_fields @> jsonb_build_object(%L, changed.id)', referrer.table_name, referrer.stored_as, referrer.stored_as);
  END LOOP;
  IF FOUND THEN
    UPDATE custom_fields d SET default_value = NULL FROM changed
      WHERE d.type = 'reference' AND d.target = TG_ARGV[0] AND d.default_value = to_jsonb(changed.id);
  END IF;
  RETURN NULL;
END
$$;
