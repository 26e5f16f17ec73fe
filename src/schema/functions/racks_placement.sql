-- A rack does not shrink below its devices, and one that moves takes them along. Without a site it is at the site of its location.
-- A rack that knows neither any more leaves them as they are.
CREATE OR REPLACE FUNCTION racks_placement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outside text;
  home uuid;
  moved boolean;
BEGIN
  IF NEW.units < OLD.units OR (OLD.units IS NULL AND NEW.units IS NOT NULL) THEN
    outside := device_outside_rack(ARRAY(SELECT id FROM devices WHERE rack_id = NEW.id AND rack_position IS NOT NULL));
    IF outside IS NOT NULL THEN
      RAISE EXCEPTION 'a device would be outside the rack'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_racks_units', DETAIL = outside;
    END IF;
  END IF;
  IF (NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.site_id, OLD.location_id) THEN
    -- While a site is being deleted, a location may still name it.
    home := coalesce(NEW.site_id, (SELECT s.id FROM locations l JOIN sites s ON s.id = l.site_id WHERE l.id = NEW.location_id));
    moved := home IS DISTINCT FROM coalesce(OLD.site_id, (SELECT site_id FROM locations WHERE id = OLD.location_id));
    UPDATE devices SET
      site_id = coalesce(home, site_id),
      location_id = CASE
        WHEN NEW.location_id IS NOT NULL THEN NEW.location_id
        WHEN home IS NOT NULL AND (moved OR location_id = OLD.location_id) THEN NULL
        ELSE location_id END
    WHERE rack_id = NEW.id;
    UPDATE power_feeds SET site_id = home WHERE rack_id = NEW.id AND home IS NOT NULL;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER racks_placement AFTER UPDATE OF units, site_id, location_id ON racks
  FOR EACH ROW WHEN ((NEW.units, NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.units, OLD.site_id, OLD.location_id))
  EXECUTE FUNCTION racks_placement();
