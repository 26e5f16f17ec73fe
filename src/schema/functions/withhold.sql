-- The JSON of a record, without its secrets.
CREATE OR REPLACE FUNCTION withhold(record jsonb, secrets text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT record || coalesce(
    (SELECT jsonb_object_agg(key, '(withheld)') FROM jsonb_each(record) WHERE key = ANY(secrets) AND value <> 'null'), '{}')
$$;
