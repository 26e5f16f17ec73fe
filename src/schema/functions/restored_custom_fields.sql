-- The custom values with which a deleted record comes back: those whose fields still exist and admit them. Every field that has a
-- default gets a value or null, so that the record gets no default. The function does not lock what is referred to: the trigger does.
-- `self` is the id of the record, to which it may refer itself.
CREATE OR REPLACE FUNCTION restored_custom_fields(owner text, stored jsonb, self uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  field custom_fields;
  value jsonb;
  is_there boolean;
  restored jsonb := '{}';
BEGIN
  FOR field IN SELECT d.* FROM custom_fields d WHERE owner = ANY(d.resources) LOOP
    value := CASE WHEN jsonb_typeof(stored) = 'object' THEN stored->field.stored_as END;
    IF value IS NOT NULL AND custom_field_fault(field, value) IS NOT NULL THEN value := NULL; END IF;
    IF value IS NOT NULL AND field.type = 'reference' AND NOT (field.target = owner AND value #>> '{}' = self::text) THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE id = $1)', replace(field.target, '-', '_')) INTO is_there USING (value #>> '{}')::uuid;
      IF NOT is_there THEN value := NULL; END IF;
    END IF;
    IF value IS NOT NULL OR field.default_value IS NOT NULL THEN
      restored := restored || jsonb_build_object(field.stored_as, coalesce(value, 'null'));
    END IF;
  END LOOP;
  RETURN nullif(restored, '{}');
END
$$;
