-- Changes the level of a stock item at a place, which is a location, or else a site. It is never below 0.
CREATE OR REPLACE FUNCTION change_level(item uuid, site uuid, location uuid, change int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place constant uuid := coalesce(location, site, '00000000-0000-0000-0000-000000000000');
  level constant bigint := coalesce((SELECT quantity FROM stock_levels WHERE stock_item_id = item AND place_id = place), 0);
BEGIN
  IF level + change < 0 THEN
    RAISE EXCEPTION 'there is not enough stock' USING ERRCODE = 'exclusion_violation', TABLE = 'stock_movements',
      CONSTRAINT = 'ex_stock_levels', DETAIL = format('there %s at %s', CASE level WHEN 1 THEN 'is 1' ELSE 'are ' || level END,
        coalesce((SELECT '''' || name || '''' FROM locations WHERE id = location), (SELECT '''' || name || '''' FROM sites WHERE id = site), 'no place'));
  ELSIF level + change = 0 THEN
    DELETE FROM stock_levels WHERE stock_item_id = item AND place_id = place;
  ELSE
    UPDATE stock_levels SET quantity = quantity + change WHERE stock_item_id = item AND place_id = place;
    IF NOT FOUND THEN
      INSERT INTO stock_levels (stock_item_id, place_id, site_id, location_id, quantity)
        VALUES (item, place, CASE WHEN location IS NULL THEN site END, location, change);
    END IF;
  END IF;
END
$$;
