-- The whole numbers in a text, for the search of addresses: the trigrams of `host-4711.` are in many addresses, the number
-- 4711 is in few. Inlined into the expression of the index.
CREATE OR REPLACE FUNCTION numbers_in(texts text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_remove(regexp_split_to_array(texts, '[^0-9]+'), '')
$$;
