-- Writes the opposite of movements of stock, and returns the ids of the new ones. The items are locked in one order, so that two who
-- reverse movements of several wait for each other. Who reverses one that was reversed meanwhile is refused by its unique index.
CREATE OR REPLACE FUNCTION reverse_movements(movements uuid[], by text, why text) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM stock_items WHERE id IN (SELECT stock_item_id FROM stock_movements WHERE id = ANY(movements)) ORDER BY id FOR NO KEY UPDATE;
  RETURN QUERY INSERT INTO stock_movements (quantity, reason, author, reverses_id, stock_item_id, kind, site_id, location_id, to_site_id,
      to_location_id, person_id, device_id, asset_id, unit_cost, currency, purchase_order_item_id)
    SELECT -m.quantity, why, by, m.id, m.stock_item_id, m.kind, m.site_id, m.location_id, m.to_site_id,
      m.to_location_id, m.person_id, m.device_id, m.asset_id, m.unit_cost, m.currency, m.purchase_order_item_id
    FROM stock_movements m WHERE m.id = ANY(movements) ORDER BY m.stock_item_id, m.id
    RETURNING id;
END
$$;
