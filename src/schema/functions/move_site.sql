-- A location that moves to another site takes along what names it and its former site, and what is in its racks that have no site
-- of their own. It does not move while a record names it and yet another site, or is in a rack that stays behind.
CREATE OR REPLACE FUNCTION move_site() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  open_racks constant uuid[] := ARRAY(SELECT id FROM racks WHERE location_id = NEW.id AND site_id IS NULL);
  against text;
BEGIN
  SELECT format('%s ''%s'' is in ''%s''', named.kind, left(named.name, 255), s.name) INTO against FROM (
    SELECT 'location' AS kind, name, site_id FROM locations WHERE parent_id = NEW.id AND site_id IS DISTINCT FROM OLD.site_id
    UNION ALL SELECT 'rack', name, site_id FROM racks WHERE location_id = NEW.id AND site_id IS DISTINCT FROM OLD.site_id
    UNION ALL SELECT 'device', name, site_id FROM devices
      WHERE location_id = NEW.id AND site_id IS DISTINCT FROM OLD.site_id AND (rack_id IS NULL OR rack_id <> ALL(open_racks))
    UNION ALL SELECT 'rack of a device', r.name, r.site_id FROM devices d JOIN racks r ON r.id = d.rack_id
      WHERE d.location_id = NEW.id AND r.location_id IS NULL
    UNION ALL SELECT 'asset', name, site_id FROM assets WHERE location_id = NEW.id AND site_id IS DISTINCT FROM OLD.site_id
    UNION ALL SELECT 'purchase order', order_number, site_id FROM purchase_orders
      WHERE location_id = NEW.id AND site_id IS DISTINCT FROM OLD.site_id
    UNION ALL SELECT 'stocktake', name, site_id FROM stocktakes WHERE location_id = NEW.id AND site_id IS DISTINCT FROM OLD.site_id
  ) named JOIN sites s ON s.id = named.site_id
  WHERE named.site_id <> NEW.site_id ORDER BY named.kind, named.name LIMIT 1;
  IF against IS NOT NULL THEN
    RAISE EXCEPTION 'the site contradicts what names the location'
      USING ERRCODE = 'exclusion_violation', TABLE = 'locations', CONSTRAINT = 'ex_locations_site_id', DETAIL = against;
  END IF;
  -- Assets and devices are locked by id, as requests lock them.
  PERFORM FROM devices WHERE (rack_id = ANY(open_racks) OR location_id = NEW.id) AND site_id IS DISTINCT FROM NEW.site_id
    ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM assets WHERE location_id = NEW.id AND site_id = OLD.site_id ORDER BY id FOR NO KEY UPDATE;
  -- All levels by one statement: what lies within a location has moved before it is judged.
  UPDATE locations SET site_id = NEW.site_id WHERE id IN (
    WITH RECURSIVE within AS (
      SELECT id FROM locations WHERE parent_id = NEW.id AND site_id = OLD.site_id
      UNION
      SELECT l.id FROM locations l JOIN within w ON l.parent_id = w.id WHERE l.site_id = OLD.site_id
    )
    SELECT id FROM within);
  UPDATE racks SET site_id = NEW.site_id WHERE location_id = NEW.id AND site_id = OLD.site_id;
  UPDATE devices SET site_id = NEW.site_id
    WHERE rack_id = ANY(open_racks) AND site_id IS DISTINCT FROM NEW.site_id;
  UPDATE devices SET site_id = NEW.site_id WHERE location_id = NEW.id AND site_id = OLD.site_id;
  UPDATE power_feeds SET site_id = NEW.site_id WHERE rack_id = ANY(open_racks) AND site_id IS DISTINCT FROM NEW.site_id;
  UPDATE assets SET site_id = NEW.site_id WHERE location_id = NEW.id AND site_id = OLD.site_id;
  UPDATE purchase_orders SET site_id = NEW.site_id WHERE location_id = NEW.id AND site_id = OLD.site_id;
  UPDATE stocktakes SET site_id = NEW.site_id WHERE location_id = NEW.id AND site_id = OLD.site_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER locations_move AFTER UPDATE OF site_id ON locations
  FOR EACH ROW WHEN (NEW.site_id IS NOT NULL AND NEW.site_id IS DISTINCT FROM OLD.site_id) EXECUTE FUNCTION move_site();
