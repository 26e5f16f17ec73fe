-- The table with the approvals of the records of a table; null if they have none.
CREATE OR REPLACE FUNCTION approvals_table(records text) RETURNS regclass LANGUAGE sql STABLE AS $$
  SELECT c.conrelid::regclass FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
  WHERE c.contype = 'f' AND c.confrelid = to_regclass(records) AND t.relname LIKE '%\_approvals'
$$;
