-- Keeps the number of entries of the change log. Triggers that write entries count them themselves.
CREATE OR REPLACE FUNCTION count_change_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM record_counts WHERE table_name = 'change_log';
  ELSE
    INSERT INTO record_counts
      SELECT 'change_log', CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER change_log_insert AFTER INSERT ON change_log
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION count_change_log();

CREATE OR REPLACE TRIGGER change_log_delete AFTER DELETE ON change_log
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_change_log();

CREATE OR REPLACE TRIGGER change_log_truncate AFTER TRUNCATE ON change_log FOR EACH STATEMENT EXECUTE FUNCTION count_change_log();
