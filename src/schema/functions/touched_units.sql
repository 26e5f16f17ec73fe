-- The whole units that half units are in.
CREATE OR REPLACE FUNCTION touched_units(halves int4range) RETURNS int4multirange LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT int4multirange(int4range(lower(halves) / 2, (upper(halves) + 1) / 2))
$$;
