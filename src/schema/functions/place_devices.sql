-- Works out anew what devices take. The name of the rule says which kind of write breaks it. Units are counted in halves:
-- `units` of a device of 2 units at position 10 is [20,24). `faces` is [0,1) for the front, [1,2) for the rear and [0,2) for
-- both. Rows of one `cluster` do not exclude each other: devices that overlapped before there was this rule share one.
-- A device does not get a unit that is reserved at the moment, unless the reservation names it or the change set that is merged is of the
-- change of the reservation. It keeps the units that it has.
CREATE OR REPLACE FUNCTION place_devices(ids uuid[], rule text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before rack_placements[];
  placed uuid[];
  refused record;
BEGIN
  before := ARRAY(SELECT p FROM rack_placements p WHERE p.device_id = ANY(ids));
  IF before <> '{}' THEN DELETE FROM rack_placements WHERE device_id = ANY(ids); END IF;
  WITH inserted AS (
    INSERT INTO rack_placements
    SELECT taken.*, CASE WHEN b.rack_id = taken.rack_id AND b.faces @> taken.faces AND b.units @> taken.units THEN b.cluster ELSE taken.device_id END
    FROM (
  SELECT d.id AS device_id, d.rack_id,
    CASE WHEN t.is_full_depth THEN int4range(0, 2) WHEN d.rack_face = 'rear' THEN int4range(1, 2) ELSE int4range(0, 1) END AS faces,
    int4range((d.rack_position * 2)::int, ((d.rack_position + t.u_height) * 2)::int) AS units
  FROM devices d JOIN device_types t ON t.id = d.device_type_id
  WHERE d.rack_id IS NOT NULL AND d.rack_position IS NOT NULL AND t.u_height > 0 AND d.id = ANY(ids)) taken LEFT JOIN unnest(before) b USING (device_id)
    ORDER BY taken.rack_id, taken.units
    ON CONFLICT DO NOTHING RETURNING device_id
  )
  SELECT coalesce(array_agg(device_id), '{}') INTO placed FROM inserted;
  SELECT taken.*, d.name INTO refused
    FROM (
  SELECT d.id AS device_id, d.rack_id,
    CASE WHEN t.is_full_depth THEN int4range(0, 2) WHEN d.rack_face = 'rear' THEN int4range(1, 2) ELSE int4range(0, 1) END AS faces,
    int4range((d.rack_position * 2)::int, ((d.rack_position + t.u_height) * 2)::int) AS units
  FROM devices d JOIN device_types t ON t.id = d.device_type_id
  WHERE d.rack_id IS NOT NULL AND d.rack_position IS NOT NULL AND t.u_height > 0 AND d.id = ANY(ids) AND d.id <> ALL(placed)) taken JOIN devices d ON d.id = taken.device_id
    ORDER BY taken.rack_id, taken.units LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'devices overlap in a rack' USING ERRCODE = 'exclusion_violation', CONSTRAINT = rule, DETAIL = (
      SELECT format('%s''%s'', which takes %s',
        CASE WHEN rule = 'ex_devices_rack_position' THEN '' ELSE format('''%s'' overlap ', refused.name) END,
        coalesce(d.name, 'another device'), rack_units_text(p.units, p.faces))
      FROM rack_placements p LEFT JOIN devices d ON d.id = p.device_id
      WHERE p.rack_id = refused.rack_id AND p.faces && refused.faces AND p.units && refused.units
      ORDER BY p.units LIMIT 1);
  END IF;
  SELECT d.name, r.id AS reservation INTO refused
    FROM rack_placements p JOIN devices d ON d.id = p.device_id
      JOIN rack_reservation_places kept ON kept.rack_id = p.rack_id AND kept.during @> clock_timestamp()
      JOIN rack_reservations r ON r.id = kept.reservation_id AND r.device_id IS DISTINCT FROM p.device_id
        AND (r.change_request_id = nullif(current_setting('inventory.change_request', true), '')::uuid) IS NOT TRUE
      CROSS JOIN (VALUES (int4range(0, 1)), (int4range(1, 2))) face (side)
      LEFT JOIN unnest(before) b ON b.device_id = p.device_id AND b.rack_id = p.rack_id AND b.faces && face.side
    WHERE p.device_id = ANY(ids) AND p.faces && face.side AND kept.faces && face.side
      AND kept.units && (touched_units(p.units) - coalesce(touched_units(b.units), '{}'))
    ORDER BY p.rack_id, p.units, r.id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'units of a rack are reserved' USING ERRCODE = 'exclusion_violation', CONSTRAINT = rule, DETAIL =
      CASE WHEN rule = 'ex_devices_rack_position' THEN '' ELSE format('''%s'' overlap ', refused.name) END || reservation_text(refused.reservation);
  END IF;
END
$$;
