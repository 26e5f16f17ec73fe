-- The values of a deleted record are free again where they must be unique. The argument is the resource of the table.
CREATE OR REPLACE FUNCTION free_custom_values() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM custom_field_values v USING custom_fields d
    WHERE d.is_unique AND OLD.custom_fields ? d.stored_as AND v.field_id = d.id AND v.resource = TG_ARGV[0]
      AND v.digest = custom_field_digest(d.type, OLD.custom_fields->d.stored_as) AND v.record_id = OLD.id;
  RETURN NULL;
END
$$;
