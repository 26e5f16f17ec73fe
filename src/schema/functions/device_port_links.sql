-- Sub-interfaces and members of link aggregations are ports of the same device. A link aggregation is locked, so that a change of
-- its type at the same time waits, and then sees the members.
CREATE OR REPLACE FUNCTION device_port_links() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  other record;
BEGIN
  IF NEW.parent_id IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.parent_id IS DISTINCT FROM OLD.parent_id) THEN
    SELECT p.device_id, p.kind INTO other FROM device_ports p WHERE p.id = NEW.parent_id;
    IF NEW.parent_id = NEW.id OR (FOUND AND (other.device_id <> NEW.device_id OR other.kind <> 'network')) THEN
      RAISE EXCEPTION 'a port is no sub-interface of such a port'
        USING ERRCODE = 'check_violation', TABLE = 'device_ports', CONSTRAINT = 'ck_device_ports_parent';
    END IF;
    IF TG_OP = 'UPDATE' THEN
      -- Two changes that are harmless alone can close a circle together.
      PERFORM pg_advisory_xact_lock(hashtextextended('device_ports.parent_id ' || NEW.device_id, 0));
      IF EXISTS (
        WITH RECURSIVE ancestors AS (
          SELECT NEW.parent_id AS id
          UNION
          SELECT p.parent_id FROM device_ports p JOIN ancestors a ON a.id = p.id WHERE p.parent_id IS NOT NULL
        )
        SELECT FROM ancestors WHERE id = NEW.id
      ) THEN
        RAISE EXCEPTION 'a port cannot be its own ancestor'
          USING ERRCODE = 'check_violation', TABLE = 'device_ports', CONSTRAINT = 'ck_device_ports_parent_id';
      END IF;
    END IF;
  END IF;
  IF NEW.lag_id IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.lag_id IS DISTINCT FROM OLD.lag_id) THEN
    SELECT p.device_id, p.type INTO other FROM device_ports p WHERE p.id = NEW.lag_id FOR SHARE;
    IF NEW.lag_id = NEW.id OR (FOUND AND (other.device_id <> NEW.device_id OR other.type IS DISTINCT FROM 'lag')) THEN
      RAISE EXCEPTION 'a port is no member of such a port'
        USING ERRCODE = 'check_violation', TABLE = 'device_ports', CONSTRAINT = 'ck_device_ports_lag';
    END IF;
  END IF;
  RETURN NULL;
END
$$;

-- After the statement, whose rows may refer to each other.
CREATE OR REPLACE TRIGGER device_ports_relatives_insert AFTER INSERT ON device_ports
  FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL OR NEW.lag_id IS NOT NULL) EXECUTE FUNCTION device_port_links();

CREATE OR REPLACE TRIGGER device_ports_relatives_update AFTER UPDATE OF parent_id, lag_id ON device_ports
  FOR EACH ROW WHEN (
    (NEW.parent_id IS NOT NULL AND NEW.parent_id IS DISTINCT FROM OLD.parent_id)
    OR (NEW.lag_id IS NOT NULL AND NEW.lag_id IS DISTINCT FROM OLD.lag_id)
  ) EXECUTE FUNCTION device_port_links();
