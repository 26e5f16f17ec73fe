-- A device is where its rack is. A rack without a site is at the site of its location. A rack that knows neither contradicts
-- nothing, and neither does a device that is given none: the foreign keys clear both, in any order, when a site or a location is
-- deleted.
CREATE OR REPLACE FUNCTION devices_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved constant boolean := TG_OP = 'UPDATE' AND NEW.rack_id IS DISTINCT FROM OLD.rack_id;
  rack record;
BEGIN
  SELECT r.site_id, r.location_id, r.name INTO rack FROM racks r WHERE r.id = NEW.rack_id FOR SHARE;
  -- The foreign key refuses a rack that does not exist.
  IF NOT FOUND THEN RETURN NEW; END IF;
  IF rack.site_id IS NULL AND rack.location_id IS NOT NULL THEN
    SELECT l.site_id INTO rack.site_id FROM locations l WHERE l.id = rack.location_id FOR SHARE;
  END IF;
  IF TG_OP = 'INSERT' THEN
    NEW.site_id := coalesce(NEW.site_id, rack.site_id);
    NEW.location_id := coalesce(NEW.location_id, rack.location_id);
  ELSIF moved THEN
    IF NEW.location_id IS NOT DISTINCT FROM OLD.location_id AND coalesce(rack.site_id, rack.location_id) IS NOT NULL THEN
      NEW.location_id := rack.location_id;
    END IF;
    IF NEW.site_id IS NOT DISTINCT FROM OLD.site_id THEN NEW.site_id := coalesce(rack.site_id, NEW.site_id); END IF;
  END IF;
  IF NEW.site_id <> rack.site_id THEN
    RAISE EXCEPTION 'site_id contradicts the rack'
      USING ERRCODE = 'check_violation', TABLE = 'devices', CONSTRAINT = 'ck_devices_site_id_rack';
  END IF;
  IF NEW.location_id <> rack.location_id THEN
    RAISE EXCEPTION 'location_id contradicts the rack'
      USING ERRCODE = 'check_violation', TABLE = 'devices', CONSTRAINT = 'ck_devices_location_id_rack';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER devices_home_insert BEFORE INSERT ON devices
  FOR EACH ROW WHEN (NEW.rack_id IS NOT NULL) EXECUTE FUNCTION devices_home();

CREATE OR REPLACE TRIGGER devices_home_update BEFORE UPDATE OF rack_id, site_id, location_id ON devices
  FOR EACH ROW WHEN (
    NEW.rack_id IS NOT NULL
    AND (NEW.rack_id, NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.rack_id, OLD.site_id, OLD.location_id)
  ) EXECUTE FUNCTION devices_home();
