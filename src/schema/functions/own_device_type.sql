-- A device type is of its vendor until somebody changes it, or its ports (own_device_type_of_ports). The import of a library,
-- which sets `inventory.library` for its transaction, is the vendor. Clearing the manufacturer, as deleting it does, is no
-- change of the type.
CREATE OR REPLACE FUNCTION own_device_type() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.source := 'customer';
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER device_types_own BEFORE UPDATE ON device_types
  FOR EACH ROW WHEN (
    OLD.source = 'vendor' AND NEW.source = 'vendor' AND coalesce(current_setting('inventory.library', true), '') = '' AND (
      (NEW.model, NEW.slug, NEW.part_number, NEW.u_height, NEW.is_full_depth, NEW.description, NEW.weight, NEW.airflow, NEW.subdevice_role, NEW.is_powered)
        IS DISTINCT FROM (OLD.model, OLD.slug, OLD.part_number, OLD.u_height, OLD.is_full_depth, OLD.description, OLD.weight, OLD.airflow, OLD.subdevice_role, OLD.is_powered)
      OR NEW.manufacturer_id <> OLD.manufacturer_id OR (OLD.manufacturer_id IS NULL AND NEW.manufacturer_id IS NOT NULL)
    )
  ) EXECUTE FUNCTION own_device_type();
