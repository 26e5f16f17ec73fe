-- Deletes what is in no partition of its own month: entries from before the log had partitions, and those of odd times.
CREATE OR REPLACE FUNCTION prune_change_log(before timestamptz, most int) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET TimeZone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  cut constant timestamptz := date_trunc('month', before);
  part record;
  step bigint;
  pruned bigint := 0;
  latest timestamptz;
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE EXCEPTION 'The last day of the change log is always kept' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT pg_try_advisory_xact_lock(7260514402) THEN RETURN 0; END IF;
  PERFORM set_config('inventory.pruning', 'on', true);
  FOR part IN SELECT * FROM change_log_partitions() p
      WHERE p.starts IS NULL OR (p.starts < cut AND p.ends > cut) ORDER BY p.starts NULLS FIRST LOOP
    EXECUTE format('WITH gone AS (
        DELETE FROM change_log USING (SELECT id, created_at FROM %s WHERE created_at < $1 ORDER BY created_at, id LIMIT $2) old
        WHERE change_log.id = old.id AND change_log.created_at = old.created_at RETURNING change_log.created_at
      ) SELECT count(*), max(created_at) FROM gone', part.name) INTO step, latest USING cut, most - pruned;
    pruned := pruned + step;
    IF step > 0 THEN
      INSERT INTO change_log_pruned AS known (until) VALUES (latest)
        ON CONFLICT (single) DO UPDATE SET until = greatest(known.until, excluded.until);
    END IF;
  END LOOP;
  PERFORM set_config('inventory.pruning', 'off', true);
  RETURN pruned;
END
$$;

REVOKE ALL ON FUNCTION prune_change_log(timestamptz, int) FROM PUBLIC;
