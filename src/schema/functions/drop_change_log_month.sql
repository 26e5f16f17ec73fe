-- Drops the oldest partition that is older than a time. Returns whether there may be more.
CREATE OR REPLACE FUNCTION drop_change_log_month(before timestamptz) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET TimeZone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  cut constant timestamptz := date_trunc('month', before);
  gone record;
  entries bigint;
  latest timestamptz;
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE EXCEPTION 'The last day of the change log is always kept' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT pg_try_advisory_xact_lock(7260514402) THEN RETURN false; END IF;
  SELECT * INTO gone FROM change_log_partitions() p WHERE p.ends <= cut ORDER BY p.ends LIMIT 1;
  IF NOT FOUND THEN RETURN false; END IF;
  BEGIN
    -- Nobody writes entries of a past month. They are counted before the detaching makes all writers wait.
    EXECUTE format('LOCK TABLE %s IN SHARE MODE', gone.name);
    EXECUTE format('SELECT count(*), max(created_at) FROM %s', gone.name) INTO entries, latest;
    EXECUTE format('ALTER TABLE change_log DETACH PARTITION %s', gone.name);
  EXCEPTION WHEN lock_not_available THEN RETURN false;
  END;
  EXECUTE format('DROP TABLE %s', gone.name);
  IF entries > 0 THEN
    INSERT INTO record_counts VALUES ('change_log', -entries);
    INSERT INTO change_log_pruned AS known (until) VALUES (latest)
      ON CONFLICT (single) DO UPDATE SET until = greatest(known.until, excluded.until);
  END IF;
  RETURN true;
END
$$;

REVOKE ALL ON FUNCTION drop_change_log_month(timestamptz) FROM PUBLIC;
