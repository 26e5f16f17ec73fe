-- Whether an outlet would feed itself, over the power ports that feed it and their cables.
CREATE OR REPLACE FUNCTION power_loops(outlet uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  WITH RECURSIVE fed (outlet_id) AS (
    SELECT u.id FROM device_ports o JOIN device_ports s ON s.device_id = o.device_id AND s.kind = 'power'
      AND (o.power_port_id IS NULL OR s.id = o.power_port_id)
      JOIN cable_ends e ON e.end_id = s.id JOIN device_ports u ON u.id = e.other_id AND u.kind = 'outlet'
    WHERE o.id = outlet
    UNION
    SELECT u.id FROM fed JOIN device_ports o ON o.id = fed.outlet_id JOIN device_ports s ON s.device_id = o.device_id
      AND s.kind = 'power' AND (o.power_port_id IS NULL OR s.id = o.power_port_id)
      JOIN cable_ends e ON e.end_id = s.id JOIN device_ports u ON u.id = e.other_id AND u.kind = 'outlet'
  )
  SELECT EXISTS (SELECT FROM fed WHERE outlet_id = outlet)
$$;
