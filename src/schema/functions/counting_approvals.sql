-- The approvals of a record that count: those of its present digest, by who may approve and had no hand in what they are about. Each
-- has the person, or without one the profile, that it counts for: several of one person count once. `mover` is the profile of a change
-- that is not in the log yet.
CREATE OR REPLACE FUNCTION counting_approvals(records text, record uuid, present text, least_role text, mover uuid DEFAULT NULL)
RETURNS TABLE (id uuid, who uuid) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF approvals_table(records) IS NULL THEN RETURN; END IF;
  RETURN QUERY EXECUTE format(
    'WITH given AS MATERIALIZED (
       SELECT a.id, p.id AS profile, p.email::text AS email FROM %s a JOIN profiles p ON p.id = a.profile_id
       WHERE a.record_id = $1 AND a.decision = ''approve'' AND a.digest = $2 AND p.is_active
         AND role_rank(p.role) >= role_rank($3) AND (a.token_id IS NULL OR role_rank(a.role) >= role_rank($3))
         AND p.areas @> approval_areas($4, $1)
     ), author AS MATERIALIZED (
       SELECT * FROM approval_authors($4, $1) WHERE EXISTS (SELECT FROM given)
       UNION ALL SELECT $5, NULL WHERE $5 IS NOT NULL
     ), had AS MATERIALIZED (SELECT person FROM author, persons_of(author.profile_id, author.email) person)
     SELECT g.id, coalesce((SELECT min(person::text)::uuid FROM persons_of(g.profile, g.email) person), g.profile) FROM given g
     WHERE NOT EXISTS (SELECT FROM author WHERE author.profile_id = g.profile)
       AND NOT EXISTS (SELECT FROM persons_of(g.profile, g.email) person JOIN had USING (person))
     ORDER BY 1', approvals_table(records)) USING record, present, least_role, records, mover;
END
$$;
