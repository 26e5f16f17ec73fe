-- Whether some trace that leaves by the cable of an end would not come to an end. The walk begins with nothing remembered: where a
-- position is needed, it goes on with each of them, as if that one had been remembered all along. It has closed a loop when it leaves
-- by the same cable with the same positions remembered as before, or with ever more of them; where they are ever fewer, the way back
-- has ever more. `known` are the positions that were remembered each time when it left by the cable, each after a dot; those of a
-- walk that waits are joined by bars. `hops` limits the length of a way.
CREATE OR REPLACE FUNCTION cable_loops(begin_id uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  waiting uuid[] := ARRAY[begin_id];
  befores text[] := ARRAY[''];
  leaving uuid;
  stack int[];
  known text[];
  hops int;
  hop record;
  front record;
  remembered text;
BEGIN
  WHILE cardinality(waiting) > 0 LOOP
    leaving := waiting[cardinality(waiting)];
    known := string_to_array(nullif(befores[cardinality(befores)], ''), '|');
    waiting := waiting[1:cardinality(waiting) - 1];
    befores := befores[1:cardinality(befores) - 1];
    stack := '{}';
    hops := 0;
    LOOP
      IF leaving = begin_id THEN
        remembered := '.' || array_to_string(stack, ',');
        IF remembered = ANY (known) THEN RETURN true; END IF;
        known := known || remembered;
      END IF;
      IF hops > 2000 OR cardinality(stack) > 64 OR cardinality(string_to_array(known[1], ',')) > 64 THEN RETURN true; END IF;
      SELECT * INTO hop FROM cable_hop(leaving, stack);
      EXIT WHEN NOT FOUND;
      hops := hops + 1;
      IF hop.splits THEN
        FOR front IN SELECT id, rear_position FROM device_ports WHERE rear_port_id = hop.arrived_id LOOP
          waiting := waiting || front.id;
          befores := befores || array_to_string(ARRAY(
            SELECT '.' || concat_ws(',', front.rear_position, nullif(substr(k, 2), '')) FROM unnest(known) WITH ORDINALITY u (k, at) ORDER BY at
          ), '|');
        END LOOP;
        EXIT;
      END IF;
      EXIT WHEN hop.passed_id IS NULL;
      leaving := hop.passed_id;
      stack := hop.positions;
    END LOOP;
  END LOOP;
  RETURN false;
END
$$;
