-- The custom values of a record whose fields still exist; null if there are none.
CREATE OR REPLACE FUNCTION live_custom_fields(owner text, stored jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_object_agg(v.key, v.value) FROM jsonb_each(stored) v
  WHERE EXISTS (SELECT FROM custom_fields d WHERE d.stored_as = v.key AND owner = ANY(d.resources))
$$;
