-- A VRF that holds a host more than once cannot begin to enforce unique addresses. Plans of a function are kept, and those
-- made for an empty table would read all of a large one: enable_seqscan is off.
CREATE OR REPLACE FUNCTION check_enforce_unique() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = 'off' AS $$
BEGIN
  IF EXISTS (SELECT FROM address_hosts WHERE space = NEW.id AND alone > 1) THEN
    RAISE EXCEPTION 'a host is recorded more than once in the VRF'
      USING ERRCODE = 'unique_violation', TABLE = 'vrfs', CONSTRAINT = 'uq_vrfs_enforce_unique';
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER vrfs_enforce_unique AFTER UPDATE OF enforce_unique ON vrfs
  FOR EACH ROW WHEN (NEW.enforce_unique AND NOT OLD.enforce_unique) EXECUTE FUNCTION check_enforce_unique();
