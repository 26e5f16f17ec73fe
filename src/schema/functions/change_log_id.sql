-- A UUID of version 7: the time of the entry, and then the order of writing. Entries in the order of their ids are in
-- the order of their times. The first half is 48 bits of milliseconds and the version, the second the variant and the sequence.
CREATE OR REPLACE FUNCTION change_log_id(at timestamptz) RETURNS uuid LANGUAGE sql AS $$
  SELECT ('0' || to_hex((date_part('epoch', at) * 1000)::bigint << 16 | 28672) || to_hex(nextval('change_log_sequence') | -9223372036854775808))::uuid
$$;
