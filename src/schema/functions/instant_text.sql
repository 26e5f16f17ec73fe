-- An instant in an error message, as responses have it.
CREATE OR REPLACE FUNCTION instant_text(instant timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
