-- The column of a link that refers to records of a resource, whose name is that of the resource in the singular: `virtual_machine_id` of
-- `virtual-machines`.
CREATE OR REPLACE FUNCTION target_column(resource text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT translate(regexp_replace(resource, '(?<=ss)es$|s$', ''), '-', '_') || '_id'
$$;
