-- An address belongs to one device or one virtual machine. Both writers lock the address, so the second one sees what the first
-- has done. Interfaces never move to another machine.
CREATE OR REPLACE FUNCTION virtual_machine_addresses_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  device uuid;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT device_id INTO device FROM ip_addresses WHERE id = NEW.ip_address_id FOR SHARE;
    IF device IS NOT NULL THEN
      RAISE EXCEPTION 'the address belongs to a device'
        USING ERRCODE = 'unique_violation', TABLE = 'devices', CONSTRAINT = 'uq_virtual_machine_addresses_device',
          DETAIL = format('Key (id)=(%s) already exists.', device);
    END IF;
  END IF;
  IF EXISTS (
    SELECT FROM virtual_machine_interfaces WHERE id = NEW.interface_id AND virtual_machine_id <> NEW.virtual_machine_id
  ) THEN
    RAISE EXCEPTION 'the interface is that of another virtual machine'
      USING ERRCODE = 'check_violation', TABLE = 'virtual_machine_addresses',
        CONSTRAINT = 'ck_virtual_machine_addresses_interface';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER virtual_machine_addresses_home BEFORE INSERT OR UPDATE OF interface_id ON virtual_machine_addresses
  FOR EACH ROW EXECUTE FUNCTION virtual_machine_addresses_home();
