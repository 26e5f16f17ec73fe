-- The people that a profile belongs to: who names it, or has named it, or has its email address.
CREATE OR REPLACE FUNCTION persons_of(profile uuid, address text) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT l.person_id FROM person_profiles l WHERE l.profile_id = profile
  UNION SELECT p.id FROM people p WHERE p.profile_id = profile OR lower(p.email COLLATE "C") = lower(address COLLATE "C")
$$;
