-- A place as responses of stocktakes show it.
CREATE OR REPLACE FUNCTION place_json(site uuid, location uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('siteId', site, 'siteName', (SELECT s.name FROM sites s WHERE s.id = site),
    'locationId', location, 'locationName', (SELECT l.name FROM locations l WHERE l.id = location))
$$;
