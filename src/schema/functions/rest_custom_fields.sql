-- Ends what hold_new_custom_fields has begun where no definition asks for it any more.
CREATE OR REPLACE FUNCTION rest_custom_fields() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' AS $$
  SELECT hold_new_custom_fields(replace(c.relname, '_', '-')) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE t.tgname = c.relname || '_custom_new' AND t.tgqual IS NULL AND c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM custom_fields d WHERE replace(c.relname, '_', '-') = ANY(d.resources) AND (d.required OR d.default_value IS NOT NULL))
    ORDER BY c.relname
$$;

REVOKE ALL ON FUNCTION rest_custom_fields() FROM PUBLIC;
