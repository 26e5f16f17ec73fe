-- Works out anew what reservations take of their racks (rack_reservation_places). The racks are locked: who places devices reads them, and
-- waits. Reservations at once wait for each other here, because the exclusion constraint would make them deadlock.
CREATE OR REPLACE FUNCTION place_reservations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  moved uuid[];
  placed uuid[];
  refused record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id), array_agg(id) INTO ids, moved FROM new_rows;
  ELSE
    SELECT array_agg(id) INTO ids FROM (
      SELECT id, rack_id, units, face, start_time, end_time FROM new_rows
      EXCEPT SELECT id, rack_id, units, face, start_time, end_time FROM old_rows
    ) changed;
    SELECT array_agg(id) INTO moved FROM (SELECT id, rack_id, units FROM new_rows EXCEPT SELECT id, rack_id, units FROM old_rows) changed;
  END IF;
  IF ids IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM racks WHERE id IN (SELECT rack_id FROM rack_reservations WHERE id = ANY(ids)) ORDER BY id FOR NO KEY UPDATE;
  -- A rack that has shrunk since keeps the reservations that it has.
  SELECT k.name, k.units INTO refused FROM rack_reservations r JOIN racks k ON k.id = r.rack_id
    WHERE r.id = ANY(moved) AND EXISTS (SELECT FROM unnest(r.units) unit WHERE unit > k.units)
    ORDER BY k.name LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'units are outside the rack' USING ERRCODE = 'check_violation', TABLE = 'rack_reservations',
      CONSTRAINT = 'ck_rack_reservations_units_rack', DETAIL = format('''%s'' has %s', refused.name,
        CASE refused.units WHEN 0 THEN 'no units' ELSE format('units 1 to %s', refused.units) END);
  END IF;
  IF TG_OP = 'UPDATE' THEN DELETE FROM rack_reservation_places WHERE reservation_id = ANY(ids); END IF;
  WITH inserted AS (
    INSERT INTO rack_reservation_places
    SELECT r.id, r.rack_id, (SELECT range_agg(int4range(unit, unit + 1)) FROM unnest(r.units) unit),
      CASE r.face WHEN 'front' THEN int4range(0, 1) WHEN 'rear' THEN int4range(1, 2) ELSE int4range(0, 2) END,
      tstzrange(r.start_time, r.end_time)
    FROM rack_reservations r WHERE r.id = ANY(ids) AND r.rack_id IS NOT NULL ORDER BY r.created_at, r.id
    ON CONFLICT DO NOTHING RETURNING reservation_id
  )
  SELECT coalesce(array_agg(reservation_id), '{}') INTO placed FROM inserted;
  SELECT other.reservation_id AS other INTO refused FROM rack_reservations r JOIN rack_reservation_places other ON other.rack_id = r.rack_id
    WHERE r.id = ANY(ids) AND r.id <> ALL(placed)
      AND other.units && (SELECT range_agg(int4range(unit, unit + 1)) FROM unnest(r.units) unit)
      AND other.faces && CASE r.face WHEN 'front' THEN int4range(0, 1) WHEN 'rear' THEN int4range(1, 2) ELSE int4range(0, 2) END
      AND other.during && tstzrange(r.start_time, r.end_time)
    ORDER BY lower(other.during) NULLS FIRST LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'reservations of a rack overlap' USING ERRCODE = 'exclusion_violation', TABLE = 'rack_reservations',
      CONSTRAINT = 'ex_rack_reservations_units', DETAIL = reservation_text(refused.other);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER rack_reservations_place_insert AFTER INSERT ON rack_reservations
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION place_reservations();

CREATE OR REPLACE TRIGGER rack_reservations_place_update AFTER UPDATE ON rack_reservations
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION place_reservations();
