-- Makes the missing partitions of this month and the next three. A month whose entries already are in the default partition
-- stays there: to move them, writers would have to wait.
CREATE OR REPLACE FUNCTION extend_change_log() RETURNS int LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET TimeZone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  first constant timestamptz := date_trunc('month', now());
  month timestamptz;
  name text;
  made integer := 0;
BEGIN
  FOR month IN SELECT generate_series(first, first + interval '3 months', interval '1 month') LOOP
    CONTINUE WHEN EXISTS (SELECT FROM change_log_partitions() p WHERE p.starts <= month AND p.ends > month);
    IF NOT pg_try_advisory_xact_lock(7260514402) THEN RETURN made; END IF;
    name := 'change_log_' || to_char(month, 'YYYY_MM');
    CONTINUE WHEN to_regclass(quote_ident(name)) IS NOT NULL
      OR EXISTS (SELECT FROM change_log_default d WHERE d.created_at >= month AND d.created_at < month + interval '1 month');
    BEGIN
      EXECUTE format('CREATE TABLE %I (LIKE change_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
      EXECUTE format('CREATE TRIGGER change_log_keep BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION keep_change_log_partition()', name);
      EXECUTE format('ALTER TABLE change_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, month, month + interval '1 month');
      made := made + 1;
    EXCEPTION
      WHEN check_violation THEN NULL;
      WHEN lock_not_available THEN RETURN made;
    END;
  END LOOP;
  RETURN made;
END
$$;

REVOKE ALL ON FUNCTION extend_change_log() FROM PUBLIC;
