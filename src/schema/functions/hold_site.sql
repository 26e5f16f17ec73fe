-- A record that names a location, and a site beside it, names the site of the location. A location without a site contradicts
-- nothing. The lock makes the record wait for a move of the location, which takes along what names it (move_site). The rule is
-- judged after the statement, which may write a location and those within it.
CREATE OR REPLACE FUNCTION hold_site() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named uuid;
  place record;
BEGIN
  IF TG_TABLE_NAME = 'locations' THEN named := NEW.parent_id; ELSE named := NEW.location_id; END IF;
  SELECT l.name, l.site_id INTO place FROM locations l WHERE l.id = named FOR SHARE;
  IF place.site_id <> NEW.site_id THEN
    RAISE EXCEPTION 'site_id contradicts the location' USING
      ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME,
      CONSTRAINT = CASE TG_TABLE_NAME WHEN 'locations' THEN 'ck_site_of_parent_id' ELSE 'ck_site_of_location_id' END,
      DETAIL = format('''%s'' is in ''%s''', place.name, (SELECT s.name FROM sites s WHERE s.id = place.site_id));
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER locations_site_insert AFTER INSERT ON locations
  FOR EACH ROW WHEN (NEW.site_id IS NOT NULL AND NEW.parent_id IS NOT NULL) EXECUTE FUNCTION hold_site();

CREATE OR REPLACE TRIGGER locations_site_update AFTER UPDATE ON locations
  FOR EACH ROW WHEN (
    NEW.site_id IS NOT NULL AND NEW.parent_id IS NOT NULL AND (NEW.site_id, NEW.parent_id) IS DISTINCT FROM (OLD.site_id, OLD.parent_id)
  ) EXECUTE FUNCTION hold_site();

CREATE OR REPLACE TRIGGER racks_site_insert AFTER INSERT ON racks
  FOR EACH ROW WHEN (NEW.site_id IS NOT NULL AND NEW.location_id IS NOT NULL) EXECUTE FUNCTION hold_site();

CREATE OR REPLACE TRIGGER racks_site_update AFTER UPDATE ON racks
  FOR EACH ROW WHEN (
    NEW.site_id IS NOT NULL AND NEW.location_id IS NOT NULL AND (NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.site_id, OLD.location_id)
  ) EXECUTE FUNCTION hold_site();

CREATE OR REPLACE TRIGGER devices_site_insert AFTER INSERT ON devices
  FOR EACH ROW WHEN (NEW.site_id IS NOT NULL AND NEW.location_id IS NOT NULL) EXECUTE FUNCTION hold_site();

CREATE OR REPLACE TRIGGER devices_site_update AFTER UPDATE ON devices
  FOR EACH ROW WHEN (
    NEW.site_id IS NOT NULL AND NEW.location_id IS NOT NULL AND (NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.site_id, OLD.location_id)
  ) EXECUTE FUNCTION hold_site();

CREATE OR REPLACE TRIGGER assets_site_insert AFTER INSERT ON assets
  FOR EACH ROW WHEN (NEW.site_id IS NOT NULL AND NEW.location_id IS NOT NULL) EXECUTE FUNCTION hold_site();

CREATE OR REPLACE TRIGGER assets_site_update AFTER UPDATE ON assets
  FOR EACH ROW WHEN (
    NEW.site_id IS NOT NULL AND NEW.location_id IS NOT NULL AND (NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.site_id, OLD.location_id)
  ) EXECUTE FUNCTION hold_site();

CREATE OR REPLACE TRIGGER purchase_orders_site_insert AFTER INSERT ON purchase_orders
  FOR EACH ROW WHEN (NEW.site_id IS NOT NULL AND NEW.location_id IS NOT NULL) EXECUTE FUNCTION hold_site();

CREATE OR REPLACE TRIGGER purchase_orders_site_update AFTER UPDATE ON purchase_orders
  FOR EACH ROW WHEN (
    NEW.site_id IS NOT NULL AND NEW.location_id IS NOT NULL AND (NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.site_id, OLD.location_id)
  ) EXECUTE FUNCTION hold_site();

CREATE OR REPLACE TRIGGER stocktakes_site_insert AFTER INSERT ON stocktakes
  FOR EACH ROW WHEN (NEW.site_id IS NOT NULL AND NEW.location_id IS NOT NULL) EXECUTE FUNCTION hold_site();
