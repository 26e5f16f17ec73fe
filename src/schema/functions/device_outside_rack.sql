-- The first device, of some, that is outside its rack, as text; null if there is none.
CREATE OR REPLACE FUNCTION device_outside_rack(ids uuid[]) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN r.units IS NULL THEN format('position %s: units are counted from 1', d.rack_position)
    WHEN coalesce(t.u_height, 0) > 0 THEN format('''%s'' with a height of %s at position %s, while rack ''%s'' has units 1 to %s', d.name, t.u_height, d.rack_position, r.name, r.units)
    ELSE format('''%s'' at position %s, while rack ''%s'' has units 1 to %s', d.name, d.rack_position, r.name, r.units) END
  FROM devices d JOIN racks r ON r.id = d.rack_id LEFT JOIN device_types t ON t.id = d.device_type_id
  WHERE d.id = ANY(ids) AND (
    d.rack_position < 1 OR d.rack_position >= r.units + 1 OR d.rack_position + t.u_height > r.units + 1
  )
  ORDER BY d.name, d.id LIMIT 1
$$;
