-- Deletes what is in no partition of its own month: entries of odd times.
CREATE OR REPLACE FUNCTION prune_change_log(before timestamptz, most int) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET TimeZone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  cut constant timestamptz := date_trunc('month', before);
  pruned bigint;
  latest timestamptz;
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE EXCEPTION 'The last day of the change log is always kept' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT pg_try_advisory_xact_lock(7260514402) THEN RETURN 0; END IF;
  PERFORM set_config('inventory.pruning', 'on', true);
  WITH gone AS (
    DELETE FROM change_log USING (SELECT id, created_at FROM change_log_default WHERE created_at < cut ORDER BY created_at, id LIMIT most) old
    WHERE change_log.id = old.id AND change_log.created_at = old.created_at RETURNING change_log.created_at
  ) SELECT count(*), max(created_at) INTO pruned, latest FROM gone;
  IF pruned > 0 THEN
    INSERT INTO change_log_pruned AS known (until) VALUES (latest)
      ON CONFLICT (single) DO UPDATE SET until = greatest(known.until, excluded.until);
  END IF;
  PERFORM set_config('inventory.pruning', 'off', true);
  RETURN pruned;
END
$$;

REVOKE ALL ON FUNCTION prune_change_log(timestamptz, int) FROM PUBLIC;
