-- Takes a database that the thirty migrations before the baseline have made to what the baseline makes. Rows stay as they
-- are, and no table is written anew. The tables are locked.

-- The triggers that all tables of records had, with their functions.
DO $$
DECLARE
  former constant text[] := '{log_changes,count_records,recount_record,recount_change_log,count_values_of_status,stamp_record}';
  found record;
BEGIN
  FOR found IN
    SELECT t.tgname AS name, t.tgrelid::regclass AS of_table FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE p.proname = ANY(former) AND p.pronamespace = current_schema()::regnamespace AND t.tgparentid = 0
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', found.name, found.of_table);
  END LOOP;
  FOR found IN
    SELECT oid::regprocedure AS name FROM pg_proc WHERE proname = ANY(former) AND pronamespace = current_schema()::regnamespace
  LOOP
    EXECUTE format('DROP FUNCTION %s', found.name);
  END LOOP;
END
$$;

-- Records were counted for each hour of their creation, too.
DELETE FROM record_counts WHERE hour <> 'infinity';
ALTER TABLE record_counts DROP COLUMN hour;
CREATE INDEX ix_record_counts_table_name ON record_counts (table_name);
