-- The approvals of a record that count: those of its present digest, by who may approve (`approvers.sql`). Several with one `who` count
-- once.
CREATE OR REPLACE FUNCTION counting_approvals(records text, record uuid, present text, least_role text, mover uuid DEFAULT NULL)
RETURNS TABLE (id uuid, who uuid) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF approvals_table(records) IS NULL THEN RETURN; END IF;
  RETURN QUERY EXECUTE format(
    'WITH given AS MATERIALIZED (
       SELECT a.id, a.profile_id FROM %s a WHERE a.record_id = $1 AND a.decision = ''approve'' AND a.digest = $2
         AND (a.token_id IS NULL OR role_rank(a.role) >= role_rank($3))
     )
     SELECT g.id, p.who FROM given g JOIN approvers($4, $1, $3, ARRAY(SELECT profile_id FROM given), $5) p ON p.profile = g.profile_id
     ORDER BY 1', approvals_table(records)) USING record, present, least_role, records, mover;
END
$$;
