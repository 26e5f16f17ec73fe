-- The place of a role among the roles, each of which includes those before it.
CREATE OR REPLACE FUNCTION role_rank(role text) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT array_position(ARRAY['viewer', 'editor', 'manager', 'admin'], role)
$$;
