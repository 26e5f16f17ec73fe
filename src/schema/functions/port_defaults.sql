-- A front port is at the first position of its rear port, and a rear port has one position, unless something else is said.
CREATE OR REPLACE FUNCTION port_defaults() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind = 'front' THEN NEW.rear_position := coalesce(NEW.rear_position, 1); END IF;
  IF NEW.kind = 'rear' THEN NEW.positions := coalesce(NEW.positions, 1); END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER device_ports_defaults BEFORE INSERT ON device_ports
  FOR EACH ROW WHEN (NEW.kind IN ('front', 'rear')) EXECUTE FUNCTION port_defaults();

CREATE OR REPLACE TRIGGER device_type_ports_defaults BEFORE INSERT ON device_type_ports
  FOR EACH ROW WHEN (NEW.kind IN ('front', 'rear')) EXECUTE FUNCTION port_defaults();
