-- A stock item with movements, one that lines of orders name, and a place with stock cannot be deleted.
CREATE OR REPLACE FUNCTION keep_stock() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  against text;
BEGIN
  IF TG_TABLE_NAME = 'stock_items' THEN
    against := CASE
      WHEN EXISTS (SELECT FROM stock_movements WHERE stock_item_id = OLD.id) THEN 'it has movements'
      ELSE (SELECT format('the order ''%s'' names it', o.order_number) FROM purchase_order_items i
        JOIN purchase_orders o ON o.id = i.purchase_order_id WHERE i.stock_item_id = OLD.id ORDER BY o.order_number LIMIT 1) END;
  ELSE
    SELECT format('%s of ''%s''', l.quantity, i.name) INTO against FROM stock_levels l JOIN stock_items i ON i.id = l.stock_item_id
      WHERE l.place_id = OLD.id ORDER BY i.name, i.id LIMIT 1;
  END IF;
  IF against IS NOT NULL THEN
    RAISE EXCEPTION 'there is stock' USING ERRCODE = 'exclusion_violation', TABLE = TG_TABLE_NAME, DETAIL = against,
      CONSTRAINT = CASE TG_TABLE_NAME WHEN 'stock_items' THEN 'ex_stock_items_used' WHEN 'sites' THEN 'ex_stock_of_site' ELSE 'ex_stock_of_location' END;
  END IF;
  RETURN OLD;
END
$$;

CREATE OR REPLACE TRIGGER stock_items_kept BEFORE DELETE ON stock_items FOR EACH ROW EXECUTE FUNCTION keep_stock();

CREATE OR REPLACE TRIGGER sites_stock BEFORE DELETE ON sites FOR EACH ROW EXECUTE FUNCTION keep_stock();

CREATE OR REPLACE TRIGGER locations_stock BEFORE DELETE ON locations FOR EACH ROW EXECUTE FUNCTION keep_stock();
