-- Who has rejected a record as it is now; null if nobody has.
CREATE OR REPLACE FUNCTION rejecting_approver(records text, record uuid, present text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  found text;
BEGIN
  IF approvals_table(records) IS NULL THEN RETURN NULL; END IF;
  EXECUTE format('SELECT approver FROM %s WHERE record_id = $1 AND decision = ''reject'' AND digest = $2 ORDER BY created_at, id LIMIT 1',
    approvals_table(records)) INTO found USING record, present;
  RETURN found;
END
$$;
