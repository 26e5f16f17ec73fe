-- Writers of prefixes share their space with each other, and wait for an allocation, which has it alone.
CREATE OR REPLACE FUNCTION share_prefix_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(prefix_space_lock(coalesce(NEW.vrf_id, '00000000-0000-0000-0000-000000000000')));
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER prefixes_space BEFORE INSERT OR UPDATE OF prefix, vrf_id ON prefixes FOR EACH ROW
  EXECUTE FUNCTION share_prefix_space();
