-- A record that names a location and a site beside it names the site of the location. Where they contradicted each other, the
-- location is right. The triggers that log changes are those of the release before.
WITH RECURSIVE held AS (
  SELECT id, site_id FROM locations WHERE parent_id IS NULL
  UNION ALL
  SELECT l.id, CASE WHEN l.site_id IS NOT NULL AND held.site_id IS NOT NULL THEN held.site_id ELSE l.site_id END
  FROM locations l JOIN held ON l.parent_id = held.id
)
UPDATE locations l SET site_id = held.site_id FROM held WHERE held.id = l.id AND held.site_id <> l.site_id;

-- A rack takes its devices and feeds along.
UPDATE racks r SET site_id = l.site_id FROM locations l WHERE l.id = r.location_id AND l.site_id <> r.site_id;

-- What is in a rack without a site is at the site of the location of the rack.
UPDATE devices d SET site_id = l.site_id FROM racks r JOIN locations l ON l.id = r.location_id
  WHERE r.id = d.rack_id AND r.site_id IS NULL AND l.site_id IS DISTINCT FROM d.site_id AND l.site_id IS NOT NULL;
UPDATE power_feeds f SET site_id = l.site_id FROM racks r JOIN locations l ON l.id = r.location_id
  WHERE r.id = f.rack_id AND r.site_id IS NULL AND l.site_id IS DISTINCT FROM f.site_id AND l.site_id IS NOT NULL;

-- A device in a rack that has a site, but no location, is at the site of the rack.
UPDATE devices d SET location_id = NULL FROM racks r, locations l
  WHERE r.id = d.rack_id AND l.id = d.location_id AND r.site_id IS NOT NULL AND l.site_id <> d.site_id;
UPDATE devices d SET site_id = l.site_id FROM locations l WHERE l.id = d.location_id AND l.site_id <> d.site_id;

UPDATE assets a SET site_id = l.site_id FROM locations l WHERE l.id = a.location_id AND l.site_id <> a.site_id;
UPDATE purchase_orders o SET site_id = l.site_id FROM locations l WHERE l.id = o.location_id AND l.site_id <> o.site_id;
