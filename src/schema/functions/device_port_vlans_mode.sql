-- Only a port in the mode tagged has tagged VLANs. The lock makes it wait for a change of the mode.
CREATE OR REPLACE FUNCTION device_port_vlans_mode() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  mode_of_port text;
BEGIN
  SELECT mode INTO mode_of_port FROM device_ports WHERE id = NEW.port_id FOR SHARE;
  IF FOUND AND mode_of_port IS DISTINCT FROM 'tagged' THEN
    RAISE EXCEPTION 'the port is not in the mode tagged'
      USING ERRCODE = 'check_violation', TABLE = 'device_port_vlans', CONSTRAINT = 'ck_device_port_vlans_mode';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER device_port_vlans_mode BEFORE INSERT ON device_port_vlans
  FOR EACH ROW EXECUTE FUNCTION device_port_vlans_mode();
