-- A change of its ports makes a device type the customer's. Ports that come back with a restored type have the times of their
-- creation.
CREATE OR REPLACE FUNCTION own_device_type_of_ports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('inventory.library', true), '') <> '' THEN RETURN NULL; END IF;
  UPDATE device_types SET source = 'customer' WHERE source = 'vendor' AND id IN (
    SELECT device_type_id FROM changed WHERE TG_OP <> 'INSERT' OR created_at >= now()::timestamptz(3)
  );
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER device_type_ports_own_insert AFTER INSERT ON device_type_ports
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION own_device_type_of_ports();

CREATE OR REPLACE TRIGGER device_type_ports_own_update AFTER UPDATE ON device_type_ports
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION own_device_type_of_ports();

CREATE OR REPLACE TRIGGER device_type_ports_own_delete AFTER DELETE ON device_type_ports
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION own_device_type_of_ports();
