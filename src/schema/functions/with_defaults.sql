-- A record that was deleted before its table got a column has that column's default.
CREATE OR REPLACE FUNCTION with_defaults(table_name regclass, record jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  missing text;
  defaults jsonb;
BEGIN
  SELECT string_agg(format('%L, %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), ', ') INTO missing
    FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = table_name AND a.attgenerated = '' AND NOT record ? a.attname;
  IF missing IS NULL THEN RETURN record; END IF;
  EXECUTE format('SELECT jsonb_build_object(%s)', missing) INTO defaults;
  RETURN defaults || record;
END
$$;
