-- The first device, of some, that is outside its rack, as text; null if there is none. Nothing is added to the units of a rack, which can be
-- as many as an integer holds.
CREATE OR REPLACE FUNCTION device_outside_rack(ids uuid[]) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN r.units IS NULL THEN format('position %s: units are counted from 1', d.rack_position)
    ELSE format('''%s''%s at position %s, while rack ''%s'' has %s', d.name,
      CASE WHEN t.u_height > 0 THEN format(' with a height of %s', t.u_height) END, d.rack_position, r.name,
      CASE r.units WHEN 0 THEN 'no units' ELSE format('units 1 to %s', r.units) END) END
  FROM devices d JOIN racks r ON r.id = d.rack_id LEFT JOIN device_types t ON t.id = d.device_type_id
  WHERE d.id = ANY(ids) AND (
    d.rack_position < 1 OR d.rack_position - 1 >= r.units OR d.rack_position + t.u_height - 1 > r.units
  )
  ORDER BY d.name, d.id LIMIT 1
$$;
