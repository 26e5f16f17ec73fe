-- The words that a value may be, for a sentence: the first ones, and the number of the others (`src/http/some-of.ts`).
CREATE OR REPLACE FUNCTION some_of(words text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(CASE WHEN length(word) > 64 THEN left(word, 64) || '…' ELSE word END, ', ' ORDER BY place)
    || CASE cardinality(words) - 10 WHEN 1 THEN ' and 1 other' ELSE
      CASE WHEN cardinality(words) > 10 THEN ' and ' || to_char(cardinality(words) - 10, 'FM999,999,999') || ' others' ELSE '' END END
  FROM unnest(words[:10]) WITH ORDINALITY w (word, place)
$$;
