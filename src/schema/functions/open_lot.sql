-- The units of an incoming movement, until they go out. Those that come back by a reversal, or only change their place, are there already.
CREATE OR REPLACE FUNCTION open_lot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stock_lots (movement_id, stock_item_id, quantity, unit_cost, currency)
    VALUES (NEW.id, NEW.stock_item_id, NEW.quantity, NEW.unit_cost, NEW.currency);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER stock_movements_lot AFTER INSERT ON stock_movements FOR EACH ROW
  WHEN (NEW.quantity > 0 AND NEW.kind <> 'transfer' AND NEW.reverses_id IS NULL) EXECUTE FUNCTION open_lot();
