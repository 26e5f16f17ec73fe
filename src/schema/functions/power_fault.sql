-- What is wrong with the way of power through an outlet: it feeds itself (`loop`), or the longest way through it passes more than 64
-- outlets (`long`); null if nothing is. Each step goes to all outlets that feed those of the step before, or that they feed, each once,
-- so a mesh costs no more than its cables times the steps. What follows a way of power, such as impact, may rely on its end.
CREATE OR REPLACE FUNCTION power_fault(outlet uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  most CONSTANT int := 64;
  passed int := 1;
  step uuid[] := ARRAY[outlet];
BEGIN
  -- Nothing hangs on an outlet without a cable.
  IF NOT EXISTS (SELECT FROM cable_ends WHERE end_id = outlet) THEN RETURN NULL; END IF;
  LOOP
    step := ARRAY(
      SELECT DISTINCT u.id FROM unnest(step) f (id) JOIN device_ports o ON o.id = f.id
        JOIN device_ports s ON s.device_id = o.device_id AND s.kind = 'power' AND (o.power_port_id IS NULL OR s.id = o.power_port_id)
        JOIN cable_ends e ON e.end_id = s.id JOIN device_ports u ON u.id = e.other_id AND u.kind = 'outlet');
    EXIT WHEN cardinality(step) = 0;
    IF outlet = ANY (step) THEN RETURN 'loop'; END IF;
    passed := passed + 1;
    IF passed > most THEN RETURN 'long'; END IF;
  END LOOP;
  step := ARRAY[outlet];
  LOOP
    step := ARRAY(
      SELECT DISTINCT o.id FROM unnest(step) f (id) JOIN cable_ends e ON e.end_id = f.id
        JOIN device_ports s ON s.id = e.other_id AND s.kind = 'power'
        JOIN device_ports o ON o.device_id = s.device_id AND o.kind = 'outlet' AND (o.power_port_id IS NULL OR o.power_port_id = s.id)
      WHERE EXISTS (SELECT FROM cable_ends WHERE end_id = o.id));
    EXIT WHEN cardinality(step) = 0;
    passed := passed + 1;
    IF passed > most THEN RETURN 'long'; END IF;
  END LOOP;
  RETURN NULL;
END
$$;
