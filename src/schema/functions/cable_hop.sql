-- One step of a trace: from an end of cables over its cable, and on through what is behind the other end. A front port is followed by
-- its rear port, whose position is remembered; a rear port by the front port at the position that was remembered last; a circuit
-- termination by the other one. `passed_id` is what the next cable is looked for at, null at the end of the way. A rear port with
-- one position neither adds nor takes one. `splits`: a position would be needed, and none is remembered.
CREATE OR REPLACE FUNCTION cable_hop(leaving uuid, stack int[])
RETURNS TABLE (cable_id uuid, arrived_id uuid, kind text, passed_id uuid, circuit_id uuid, positions int[], splits boolean)
LANGUAGE sql STABLE AS $$
  SELECT e.cable_id, e.other_id, p.kind::text, coalesce(CASE WHEN p.kind = 'front' THEN p.rear_port_id END, f.id, z.id), z.circuit_id,
    CASE WHEN p.kind = 'front' AND r.positions > 1 THEN stack || p.rear_position
      WHEN p.kind = 'rear' AND p.positions > 1 THEN stack[1:cardinality(stack) - 1]
      ELSE stack END,
    coalesce(p.kind = 'rear' AND p.positions > 1 AND cardinality(stack) = 0, false)
  FROM cable_ends e
    LEFT JOIN device_ports p ON p.id = e.other_id
    LEFT JOIN device_ports r ON r.id = p.rear_port_id
    LEFT JOIN device_ports f ON p.kind = 'rear' AND f.rear_port_id = p.id
      AND f.rear_position = CASE WHEN p.positions = 1 THEN 1 ELSE stack[cardinality(stack)] END
    LEFT JOIN circuit_terminations t ON t.id = e.other_id
    LEFT JOIN circuit_terminations z ON z.circuit_id = t.circuit_id AND z.side <> t.side
  WHERE e.end_id = leaving
$$;
