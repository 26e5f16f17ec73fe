-- An address that is bound to a port belongs to the port's device. Ports never move, so this can only break where an
-- address is written:
--
-- - Binding it (interface_id is set or changed) makes device_id the port's device, whatever was given beside it. The device
--   is locked before the foreign keys lock the port, in the order in which deleting the device locks them. Where the port
--   or its device is gone, nothing is set and the foreign key on interface_id refuses.
-- - Changing device_id alone must not contradict the port. A device that is being deleted is exempt: its row is gone
--   already when the foreign keys clear device_id and, by way of its ports, interface_id, in whichever order they run.
--
-- Deleting a port clears interface_id by its foreign key and leaves device_id.
CREATE OR REPLACE FUNCTION ip_addresses_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  home uuid;
  kind_of_port text;
BEGIN
  IF TG_OP = 'INSERT' OR NEW.interface_id IS DISTINCT FROM OLD.interface_id THEN
    SELECT d.id, p.kind INTO home, kind_of_port
      FROM device_ports p JOIN devices d ON d.id = p.device_id
      WHERE p.id = NEW.interface_id
      FOR KEY SHARE OF d;
    IF FOUND THEN
      IF kind_of_port <> 'network' THEN
        RAISE EXCEPTION 'an address is bound to network ports only'
          USING ERRCODE = 'check_violation', TABLE = 'ip_addresses', CONSTRAINT = 'ck_ip_addresses_interface_kind';
      END IF;
      NEW.device_id := home;
    END IF;
  ELSIF EXISTS (
    SELECT FROM device_ports p JOIN devices d ON d.id = p.device_id
      WHERE p.id = NEW.interface_id AND p.device_id IS DISTINCT FROM NEW.device_id
  ) THEN
    RAISE EXCEPTION 'device_id contradicts the port of the address'
      USING ERRCODE = 'check_violation', TABLE = 'ip_addresses', CONSTRAINT = 'ck_ip_addresses_device_id';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER ip_addresses_home BEFORE INSERT OR UPDATE OF interface_id, device_id ON ip_addresses
  FOR EACH ROW WHEN (NEW.interface_id IS NOT NULL) EXECUTE FUNCTION ip_addresses_home();
