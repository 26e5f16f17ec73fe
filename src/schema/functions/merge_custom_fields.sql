-- The custom values of a record after a change of some of them, of which null removes one; null if none are left.
CREATE OR REPLACE FUNCTION merge_custom_fields(stored jsonb, given jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT nullif(jsonb_strip_nulls(coalesce(stored, '{}') || given), '{}')
$$;
