-- Entries of the change log only go with the retention (prune_change_log).
CREATE OR REPLACE FUNCTION keep_change_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('inventory.pruning', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'Entries of the change log are neither changed nor deleted' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE OR REPLACE TRIGGER change_log_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON change_log FOR EACH STATEMENT
  EXECUTE FUNCTION keep_change_log();
