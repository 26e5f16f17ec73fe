-- A UUID of version 7: the time of the entry, and then the order of writing. Entries in the order of their ids are in
-- the order of their times.
CREATE OR REPLACE FUNCTION change_log_id(at timestamptz) RETURNS uuid LANGUAGE sql AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008'
    || lpad(to_hex(nextval('change_log_sequence')), 15, '0'))::uuid
$$;
