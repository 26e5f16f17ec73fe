-- A link aggregation with members, and a port with tagged VLANs, stay what they are.
CREATE OR REPLACE FUNCTION device_ports_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.type = 'lag' AND NEW.type IS DISTINCT FROM 'lag' AND EXISTS (SELECT FROM device_ports WHERE lag_id = NEW.id) THEN
    RAISE EXCEPTION 'a link aggregation has members'
      USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports', CONSTRAINT = 'ex_device_ports_type_members';
  END IF;
  IF OLD.mode = 'tagged' AND NEW.mode IS DISTINCT FROM 'tagged'
    AND EXISTS (SELECT FROM device_port_vlans WHERE port_id = NEW.id) THEN
    RAISE EXCEPTION 'a port has tagged VLANs'
      USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports', CONSTRAINT = 'ex_device_ports_mode_vlans';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER device_ports_kept BEFORE UPDATE OF type, mode ON device_ports
  FOR EACH ROW WHEN ((NEW.type, NEW.mode) IS DISTINCT FROM (OLD.type, OLD.mode)) EXECUTE FUNCTION device_ports_kept();
