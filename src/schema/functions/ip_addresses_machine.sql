-- An address of a virtual machine gets no device. It runs after ip_addresses_home, which sets the device of a port.
CREATE OR REPLACE FUNCTION ip_addresses_machine() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  machine uuid;
BEGIN
  SELECT virtual_machine_id INTO machine FROM virtual_machine_addresses WHERE ip_address_id = NEW.id;
  IF FOUND THEN
    IF NEW.interface_id IS DISTINCT FROM OLD.interface_id THEN
      RAISE EXCEPTION 'the address belongs to a virtual machine'
        USING ERRCODE = 'unique_violation', TABLE = 'virtual_machines', CONSTRAINT = 'uq_ip_addresses_interface_machine',
          DETAIL = format('Key (id)=(%s) already exists.', machine);
    END IF;
    RAISE EXCEPTION 'the address belongs to a virtual machine'
      USING ERRCODE = 'unique_violation', TABLE = 'virtual_machines', CONSTRAINT = 'uq_ip_addresses_device_machine',
        DETAIL = format('Key (id)=(%s) already exists.', machine);
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER ip_addresses_machine BEFORE UPDATE OF device_id, interface_id ON ip_addresses
  FOR EACH ROW WHEN (
    (NEW.device_id IS NOT NULL OR NEW.interface_id IS NOT NULL)
    AND (NEW.device_id, NEW.interface_id) IS DISTINCT FROM (OLD.device_id, OLD.interface_id)
  ) EXECUTE FUNCTION ip_addresses_machine();
