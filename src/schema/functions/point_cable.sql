-- An end of a cable is a record of one of several tables. The column of its table has a foreign key, which ends with the record.
-- What fits is judged here. Ports are locked, so that a change of their type at the same time waits, and then sees the cable.
CREATE OR REPLACE FUNCTION point_cable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kinds text[];
  side text;
BEGIN
  NEW.a_port_id := CASE WHEN NEW.a_resource = 'device-ports' THEN NEW.a_id END;
  NEW.a_termination_id := CASE WHEN NEW.a_resource = 'circuit-terminations' THEN NEW.a_id END;
  NEW.a_feed_id := CASE WHEN NEW.a_resource = 'power-feeds' THEN NEW.a_id END;
  NEW.b_port_id := CASE WHEN NEW.b_resource = 'device-ports' THEN NEW.b_id END;
  NEW.b_termination_id := CASE WHEN NEW.b_resource = 'circuit-terminations' THEN NEW.b_id END;
  NEW.b_feed_id := CASE WHEN NEW.b_resource = 'power-feeds' THEN NEW.b_id END;
  IF NEW.a_id = NEW.b_id AND NEW.a_resource = NEW.b_resource THEN
    RAISE EXCEPTION 'a cable ends where it begins'
      USING ERRCODE = 'check_violation', TABLE = 'cables', CONSTRAINT = 'ck_cables_itself';
  END IF;
  PERFORM FROM device_ports WHERE id IN (NEW.a_port_id, NEW.b_port_id) ORDER BY id FOR SHARE;
  SELECT CASE p.id WHEN NEW.a_port_id THEN 'ck_cables_a_type' ELSE 'ck_cables_b_type' END INTO side FROM device_ports p
    WHERE p.id IN (NEW.a_port_id, NEW.b_port_id) AND p.kind = 'network' AND p.type IN ('virtual', 'lag', 'bridge')
    ORDER BY p.id = NEW.b_port_id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'nothing is plugged into such a port'
      USING ERRCODE = 'check_violation', TABLE = 'cables', CONSTRAINT = side;
  END IF;
  kinds := ARRAY[
    coalesce((SELECT kind FROM device_ports WHERE id = NEW.a_port_id),
      (SELECT 'circuit termination' FROM circuit_terminations WHERE id = NEW.a_termination_id),
      (SELECT 'power feed' FROM power_feeds WHERE id = NEW.a_feed_id)),
    coalesce((SELECT kind FROM device_ports WHERE id = NEW.b_port_id),
      (SELECT 'circuit termination' FROM circuit_terminations WHERE id = NEW.b_termination_id),
      (SELECT 'power feed' FROM power_feeds WHERE id = NEW.b_feed_id))
  ];
  -- The foreign key refuses what does not exist.
  IF kinds[1] IS NULL OR kinds[2] IS NULL THEN RETURN NEW; END IF;
  IF NOT EXISTS (
    SELECT FROM (VALUES ('network', 'network'), ('network', 'front'), ('network', 'rear'), ('front', 'front'), ('front', 'rear'),
      ('rear', 'rear'), ('console', 'console-server'), ('console', 'front'), ('console', 'rear'), ('console-server', 'front'),
      ('console-server', 'rear'), ('power', 'outlet'), ('circuit termination', 'network'), ('circuit termination', 'front'),
      ('circuit termination', 'rear'), ('power feed', 'power')) fits (one, other)
    WHERE kinds IN (ARRAY[one, other], ARRAY[other, one])
  ) THEN
    RAISE EXCEPTION 'a cable does not fit'
      USING ERRCODE = 'check_violation', TABLE = 'cables', CONSTRAINT = 'ck_cables_fit',
        DETAIL = format('a cable cannot join %s and %s', kinds[1], kinds[2]);
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER cables_point BEFORE INSERT ON cables FOR EACH ROW EXECUTE FUNCTION point_cable();
