-- A feed is where its rack is. As with a device (devices_home), a rack without a site is at the site of its location, and one
-- without either contradicts nothing.
CREATE OR REPLACE FUNCTION power_feeds_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rack record;
BEGIN
  SELECT r.site_id, r.location_id INTO rack FROM racks r WHERE r.id = NEW.rack_id FOR SHARE;
  -- The foreign key refuses a rack that does not exist.
  IF NOT FOUND THEN RETURN NEW; END IF;
  IF rack.site_id IS NULL AND rack.location_id IS NOT NULL THEN
    SELECT l.site_id INTO rack.site_id FROM locations l WHERE l.id = rack.location_id FOR SHARE;
  END IF;
  IF TG_OP = 'INSERT' OR (NEW.rack_id IS DISTINCT FROM OLD.rack_id AND NEW.site_id IS NOT DISTINCT FROM OLD.site_id) THEN
    NEW.site_id := CASE WHEN TG_OP = 'INSERT' THEN coalesce(NEW.site_id, rack.site_id) ELSE coalesce(rack.site_id, NEW.site_id) END;
  END IF;
  IF NEW.site_id <> rack.site_id THEN
    RAISE EXCEPTION 'site_id contradicts the rack'
      USING ERRCODE = 'check_violation', TABLE = 'power_feeds', CONSTRAINT = 'ck_power_feeds_site_id_rack';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER power_feeds_home_insert BEFORE INSERT ON power_feeds
  FOR EACH ROW WHEN (NEW.rack_id IS NOT NULL) EXECUTE FUNCTION power_feeds_home();

CREATE OR REPLACE TRIGGER power_feeds_home_update BEFORE UPDATE OF rack_id, site_id ON power_feeds
  FOR EACH ROW WHEN (NEW.rack_id IS NOT NULL AND (NEW.rack_id, NEW.site_id) IS DISTINCT FROM (OLD.rack_id, OLD.site_id))
  EXECUTE FUNCTION power_feeds_home();
