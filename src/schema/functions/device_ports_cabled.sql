-- What a change of a port that has a cable must not do: take its type away, or close a loop. A rear port whose positions become one no
-- longer takes the position that a trace remembers, which then comes back. Deleting a power port leaves its outlets to the others of
-- the device, which the foreign key does. Then it is the delete that is refused.
CREATE OR REPLACE FUNCTION device_ports_cabled() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  loop_rule text;
  fault text;
BEGIN
  IF NEW.kind = 'network' AND NEW.type IN ('virtual', 'lag', 'bridge') AND NEW.type IS DISTINCT FROM OLD.type
    AND EXISTS (SELECT FROM cable_ends WHERE end_id = NEW.id) THEN
    RAISE EXCEPTION 'a port has a cable'
      USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports', CONSTRAINT = 'ex_device_ports_type_cable';
  END IF;
  loop_rule := CASE
    WHEN (NEW.rear_port_id, NEW.rear_position) IS DISTINCT FROM (OLD.rear_port_id, OLD.rear_position) THEN 'ex_device_ports_rear_port_id_loop'
    WHEN NEW.positions IS DISTINCT FROM OLD.positions THEN 'ex_device_ports_positions_loop'
  END;
  IF loop_rule IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('cables.loops', 0));
    IF EXISTS (
      SELECT FROM cable_ends e WHERE e.end_id = NEW.id
        AND (cable_loops(e.end_id) OR cable_loops(e.other_id))
    ) THEN
      RAISE EXCEPTION 'a port would close a loop'
        USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports', CONSTRAINT = loop_rule;
    END IF;
  END IF;
  IF NEW.kind = 'outlet' AND NEW.power_port_id IS DISTINCT FROM OLD.power_port_id THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('cables.power', 0));
    fault := power_fault(NEW.id);
    IF fault IS NOT NULL AND NEW.power_port_id IS NULL AND NOT EXISTS (SELECT FROM device_ports WHERE id = OLD.power_port_id) THEN
      RAISE EXCEPTION 'power cannot go this way'
        USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports', DETAIL = NEW.name,
          CONSTRAINT = CASE fault WHEN 'loop' THEN 'ex_device_ports_power_port_deleted_loop' ELSE 'ex_device_ports_power_port_deleted_long' END;
    ELSIF fault IS NOT NULL THEN
      RAISE EXCEPTION 'power cannot go this way'
        USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports',
          CONSTRAINT = CASE fault WHEN 'loop' THEN 'ex_device_ports_power_port_id_loop' ELSE 'ex_device_ports_power_port_id_long' END;
    END IF;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER device_ports_cabled AFTER UPDATE OF type, rear_port_id, rear_position, positions, power_port_id ON device_ports
  FOR EACH ROW WHEN (
    (NEW.type, NEW.rear_port_id, NEW.rear_position, NEW.positions, NEW.power_port_id)
      IS DISTINCT FROM (OLD.type, OLD.rear_port_id, OLD.rear_position, OLD.positions, OLD.power_port_id)
  ) EXECUTE FUNCTION device_ports_cabled();
