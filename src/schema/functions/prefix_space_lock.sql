-- The advisory lock of the prefixes of an address space.
CREATE OR REPLACE FUNCTION prefix_space_lock(space uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('prefix space ' || space, 0)
$$;
