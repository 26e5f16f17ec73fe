-- The digest of a record as it is now; null if there is no such record.
CREATE OR REPLACE FUNCTION approval_digest_of(records text, record_id uuid) RETURNS text LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
DECLARE
  digest text;
BEGIN
  EXECUTE format('SELECT approval_digest($2, to_jsonb(t)) FROM %I t WHERE id = $1', records) INTO digest USING record_id, records;
  RETURN digest;
END
$$;
