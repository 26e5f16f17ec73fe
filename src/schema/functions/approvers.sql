-- Those of some profiles whose approval of a record counts: who may approve, and had no hand in what it is about. Each has the person,
-- or without one the profile, that it counts for: several of one person count once. `mover` is the profile of a change that is not in the
-- log yet.
CREATE OR REPLACE FUNCTION approvers(records text, record uuid, least_role text, of_profiles uuid[], mover uuid DEFAULT NULL)
RETURNS TABLE (profile uuid, who uuid) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY WITH able AS MATERIALIZED (
    SELECT p.id, p.email::text AS email FROM profiles p WHERE p.id = ANY(of_profiles) AND p.is_active
      AND role_rank(p.role) >= role_rank(least_role) AND p.areas @> approval_areas(records, record)
  ), author AS MATERIALIZED (
    SELECT * FROM approval_authors(records, record) WHERE EXISTS (SELECT FROM able)
    UNION ALL SELECT mover, NULL WHERE mover IS NOT NULL
  ), had AS MATERIALIZED (SELECT person FROM author, persons_of(author.profile_id, author.email) person)
  SELECT a.id, coalesce((SELECT min(person::text)::uuid FROM persons_of(a.id, a.email) person), a.id) FROM able a
  WHERE NOT EXISTS (SELECT FROM author WHERE author.profile_id = a.id)
    AND NOT EXISTS (SELECT FROM persons_of(a.id, a.email) person JOIN had USING (person));
END
$$;
