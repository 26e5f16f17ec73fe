-- The devices that lose power when feeds and devices fail: `down` if no cabled power port of theirs still has a supply, `degraded` if
-- some have. A supply is lost at a failed feed, at an outlet of a device that is down, and at an outlet all of whose cabled power
-- ports are lost. What has no cable, or no known feed, holds. `via` is at the other end of the cable of a lost port.
CREATE OR REPLACE FUNCTION power_lost(feeds uuid[], devices uuid[])
RETURNS TABLE (device_id uuid, effect text, via_resource text, via_id uuid) LANGUAGE plpgsql STABLE AS $$
DECLARE
  down uuid[] := devices;
  lost uuid[] := '{}';
  lost_outlets uuid[] := '{}';
  suppliers uuid[] := feeds || ARRAY(SELECT p.id FROM device_ports p WHERE p.device_id = ANY (devices) AND p.kind = 'outlet');
  fresh uuid[];
  touched uuid[];
  newly uuid[];
BEGIN
  WHILE cardinality(suppliers) > 0 LOOP
    fresh := ARRAY(
      SELECT p.id FROM unnest(suppliers) s (id) JOIN cable_ends e ON e.end_id = s.id
        JOIN device_ports p ON p.id = e.other_id AND p.kind = 'power'
      WHERE p.device_id NOT IN (SELECT unnest(down)));
    lost := lost || fresh;
    touched := ARRAY(SELECT DISTINCT p.device_id FROM unnest(fresh) f (id) JOIN device_ports p ON p.id = f.id);
    newly := ARRAY(
      SELECT t.id FROM unnest(touched) t (id) WHERE NOT EXISTS (
        SELECT FROM device_ports p JOIN cable_ends e ON e.end_id = p.id
        WHERE p.device_id = t.id AND p.kind = 'power' AND p.id NOT IN (SELECT unnest(lost))));
    down := down || newly;
    suppliers := ARRAY(
      SELECT o.id FROM device_ports o WHERE o.device_id = ANY (touched) AND o.kind = 'outlet'
        AND o.id NOT IN (SELECT unnest(lost_outlets))
        AND (o.device_id IN (SELECT unnest(newly)) OR (
          SELECT bool_and(p.id IN (SELECT unnest(lost))) FROM device_ports p JOIN cable_ends e ON e.end_id = p.id
          WHERE p.device_id = o.device_id AND p.kind = 'power' AND (o.power_port_id IS NULL OR p.id = o.power_port_id))));
    lost_outlets := lost_outlets || suppliers;
  END LOOP;
  RETURN QUERY
    SELECT DISTINCT ON (p.device_id) p.device_id, CASE WHEN p.device_id IN (SELECT unnest(down)) THEN 'down' ELSE 'degraded' END,
      CASE WHEN o.id IS NULL THEN 'power-feeds' ELSE 'devices' END, coalesce(o.device_id, e.other_id)
    FROM unnest(lost) l (id) JOIN device_ports p ON p.id = l.id JOIN cable_ends e ON e.end_id = p.id
      LEFT JOIN device_ports o ON o.id = e.other_id
    ORDER BY p.device_id, natural_order(p.name) COLLATE "C", p.id;
END
$$;
