-- Keeps the ends of cables, each of which has at most one, and refuses cables that would close a loop. Two cables that are harmless
-- alone can close one together, so cables between what traces pass through take turns, and so do cables of outlets. A cable at any
-- other port is the end of its trace, and closes no loop.
CREATE OR REPLACE FUNCTION cable_ends() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  taken record;
  passing uuid[];
  outlets uuid[];
BEGIN
  SELECT array_agg(c.id) INTO passing FROM new_rows c
    LEFT JOIN device_ports a ON a.id = c.a_port_id LEFT JOIN device_ports b ON b.id = c.b_port_id
    WHERE (c.a_termination_id IS NOT NULL OR a.kind IN ('front', 'rear')) AND (c.b_termination_id IS NOT NULL OR b.kind IN ('front', 'rear'));
  SELECT array_agg(p.id) INTO outlets FROM new_rows c JOIN device_ports p ON p.id IN (c.a_port_id, c.b_port_id) AND p.kind = 'outlet';
  IF passing IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtextextended('cables.loops', 0)); END IF;
  IF outlets IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtextextended('cables.power', 0)); END IF;
  LOOP
    -- In one order, so that two requests for the same ends wait for each other instead of failing.
    INSERT INTO cable_ends (end_id, cable_id, other_id)
      SELECT a_id, id, b_id FROM new_rows UNION ALL SELECT b_id, id, a_id FROM new_rows ORDER BY 1
      ON CONFLICT (end_id) DO NOTHING;
    SELECT array_agg(CASE e.end_id WHEN c.a_id THEN 'uq_cables_a_id' ELSE 'uq_cables_b_id' END ORDER BY e.end_id = c.b_id) AS rules,
        -- In the form in which PostgreSQL tells what an index refuses, so that the answer can name the other cables.
        array_agg(format('Key (id)=(%s) already exists.', e.cable_id) ORDER BY e.end_id = c.b_id) AS details INTO taken
      FROM new_rows c JOIN cable_ends e ON e.end_id IN (c.a_id, c.b_id) WHERE e.cable_id <> c.id
      GROUP BY c.created_at, c.id ORDER BY c.created_at, c.id LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'an end has a cable already'
        USING ERRCODE = 'unique_violation', TABLE = 'cables', CONSTRAINT = taken.rules[1], DETAIL = taken.details[1],
          HINT = coalesce(taken.rules[2] || ': ' || taken.details[2], '');
    END IF;
    -- A cable that stood in the way may have gone between the two statements. Then the end is free, and is still to be taken.
    EXIT WHEN NOT EXISTS (
      SELECT FROM new_rows c, unnest(ARRAY[c.a_id, c.b_id]) one (id)
      WHERE NOT EXISTS (SELECT FROM cable_ends e WHERE e.end_id = one.id AND e.cable_id = c.id)
    );
  END LOOP;
  IF EXISTS (
    SELECT FROM new_rows c WHERE c.id = ANY (passing)
      AND (cable_loops(c.a_id) OR cable_loops(c.b_id))
  ) THEN
    RAISE EXCEPTION 'a cable would close a loop'
      USING ERRCODE = 'exclusion_violation', TABLE = 'cables', CONSTRAINT = 'ex_cables_loop';
  END IF;
  IF outlets IS NULL THEN RETURN NULL; END IF;
  SELECT power_fault(id) AS fault INTO taken FROM unnest(outlets) outlet (id) WHERE power_fault(id) IS NOT NULL LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'power cannot go this way'
      USING ERRCODE = 'exclusion_violation', TABLE = 'cables',
          CONSTRAINT = CASE taken.fault WHEN 'loop' THEN 'ex_cables_power_loop' ELSE 'ex_cables_power_long' END;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER cables_ends AFTER INSERT ON cables REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION cable_ends();
