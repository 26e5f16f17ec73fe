-- A partition is written through the log only, where entries are counted.
CREATE OR REPLACE FUNCTION keep_change_log_partition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Entries of the change log are neither changed nor deleted, and written to change_log only' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE OR REPLACE TRIGGER change_log_keep BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON change_log_default FOR EACH STATEMENT
  EXECUTE FUNCTION keep_change_log_partition();
