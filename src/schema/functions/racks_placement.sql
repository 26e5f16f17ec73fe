-- A rack does not shrink below its devices, and one that moves takes them along.
CREATE OR REPLACE FUNCTION racks_placement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outside text;
BEGIN
  IF NEW.units < OLD.units OR (OLD.units IS NULL AND NEW.units IS NOT NULL) THEN
    outside := device_outside_rack(ARRAY(SELECT id FROM devices WHERE rack_id = NEW.id AND rack_position IS NOT NULL));
    IF outside IS NOT NULL THEN
      RAISE EXCEPTION 'a device would be outside the rack'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_racks_units', DETAIL = outside;
    END IF;
  END IF;
  IF (NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.site_id, OLD.location_id) THEN
    UPDATE devices SET
      site_id = CASE WHEN NEW.site_id IS NOT NULL OR site_id = OLD.site_id THEN NEW.site_id ELSE site_id END,
      location_id = CASE WHEN NEW.location_id IS NOT NULL OR location_id = OLD.location_id THEN NEW.location_id ELSE location_id END
    WHERE rack_id = NEW.id;
    UPDATE power_feeds SET
      site_id = CASE WHEN NEW.site_id IS NOT NULL OR site_id = OLD.site_id THEN NEW.site_id ELSE site_id END
    WHERE rack_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER racks_placement AFTER UPDATE OF units, site_id, location_id ON racks
  FOR EACH ROW WHEN ((NEW.units, NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.units, OLD.site_id, OLD.location_id))
  EXECUTE FUNCTION racks_placement();
