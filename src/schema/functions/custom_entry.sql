-- The custom values of one side of an entry of the change log, named as the API names them: those that differ from the other side, or
-- all where there is no other.
CREATE OR REPLACE FUNCTION custom_entry(shown jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg('customFields.' || split_part(key, '#', 1), coalesce(shown->key, 'null')), '{}')
  FROM jsonb_object_keys(coalesce(nullif(other, 'null'), '{}') || coalesce(nullif(shown, 'null'), '{}')) key
  WHERE shown->key IS DISTINCT FROM other->key
$$;
