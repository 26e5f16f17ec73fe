-- The transitions that are open to a record with this value of a field; those of new records if the value is null. A value that no
-- transition names was there before them: from there the moves of new records are open.
CREATE OR REPLACE FUNCTION open_transitions(of_resource text, of_field text, value text) RETURNS SETOF transitions LANGUAGE sql STABLE AS $$
  SELECT t.* FROM transitions t
  WHERE t.resource = of_resource AND t.field = of_field AND t.to_value IS DISTINCT FROM value
    AND t.from_value IS NOT DISTINCT FROM CASE WHEN EXISTS (
      SELECT FROM transitions n WHERE n.resource = of_resource AND n.field = of_field AND value IN (n.from_value, n.to_value)
    ) THEN value END
$$;
