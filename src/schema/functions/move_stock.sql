-- Keeps the levels of stock items (stock_levels) and the units that there are of each incoming movement (stock_lots) with every movement.
-- Writers of one item take turns. Units go out the oldest first, over all places, and come back to where they were counted when their
-- movement is reversed. Movements are never changed: a deleted place leaves them, and only a place without stock can be deleted.
CREATE OR REPLACE FUNCTION move_stock() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  reversed stock_movements;
  place record;
  costs int;
BEGIN
  PERFORM FROM stock_items WHERE id = NEW.stock_item_id FOR NO KEY UPDATE;
  SELECT l.name, l.site_id, s.name AS site INTO place FROM locations l LEFT JOIN sites s ON s.id = l.site_id
    WHERE l.id = NEW.location_id FOR SHARE OF l;
  IF place.site_id <> NEW.site_id THEN
    RAISE EXCEPTION 'site_id contradicts the location' USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME,
      CONSTRAINT = 'ck_stock_movements_site', DETAIL = format('''%s'' is in ''%s''', place.name, place.site);
  END IF;
  NEW.site_id := coalesce(place.site_id, NEW.site_id);
  IF NEW.kind = 'transfer' THEN
    SELECT l.name, l.site_id, s.name AS site INTO place FROM locations l LEFT JOIN sites s ON s.id = l.site_id
      WHERE l.id = NEW.to_location_id FOR SHARE OF l;
    IF place.site_id <> NEW.to_site_id THEN
      RAISE EXCEPTION 'to_site_id contradicts the location' USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME,
        CONSTRAINT = 'ck_stock_movements_to_site', DETAIL = format('''%s'' is in ''%s''', place.name, place.site);
    END IF;
    NEW.to_site_id := coalesce(place.site_id, NEW.to_site_id);
    PERFORM change_level(NEW.stock_item_id, NEW.site_id, NEW.location_id, -NEW.quantity);
    PERFORM change_level(NEW.stock_item_id, NEW.to_site_id, NEW.to_location_id, NEW.quantity);
    RETURN NEW;
  END IF;
  PERFORM change_level(NEW.stock_item_id, NEW.site_id, NEW.location_id, NEW.quantity);

  SELECT * INTO reversed FROM stock_movements WHERE id = NEW.reverses_id;
  IF reversed.draws IS NOT NULL THEN
    UPDATE stock_lots l SET quantity = l.quantity + (drawn->>'quantity')::int
      FROM jsonb_array_elements(reversed.draws) drawn WHERE l.movement_id = (drawn->>'lot')::uuid;
  ELSIF NEW.quantity < 0 THEN
    WITH open AS (
      -- A reversed movement takes its own units back before others.
      SELECT l.movement_id, l.quantity, l.unit_cost, l.currency,
        sum(l.quantity) OVER (ORDER BY l.movement_id = NEW.reverses_id DESC NULLS LAST, l.position) AS reach
      FROM stock_lots l WHERE l.stock_item_id = NEW.stock_item_id AND l.quantity > 0
    ), drawn AS (
      SELECT *, least(quantity, -NEW.quantity - (reach - quantity))::int AS taken FROM open WHERE reach - quantity < -NEW.quantity
    ), kept AS (
      UPDATE stock_lots l SET quantity = l.quantity - drawn.taken FROM drawn WHERE l.movement_id = drawn.movement_id
    )
    SELECT jsonb_agg(jsonb_build_object('lot', movement_id, 'quantity', taken) ORDER BY reach), count(DISTINCT (unit_cost, currency)),
        min(unit_cost), min(currency)
      INTO NEW.draws, costs, NEW.unit_cost, NEW.currency FROM drawn;
    IF costs > 1 THEN
      NEW.unit_cost := NULL;
      NEW.currency := NULL;
    END IF;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER stock_movements_move BEFORE INSERT ON stock_movements FOR EACH ROW EXECUTE FUNCTION move_stock();
