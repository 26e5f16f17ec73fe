-- What ports of all owners refer to: an outlet to a power port, and a front port to a position of a rear port, of the same
-- owner. Ports never change their owner or kind. The rear ports are locked, so that a change of their positions at the same time
-- waits, and then sees the front ports. The arguments are the column of the owner and the names of the rules.
CREATE OR REPLACE FUNCTION port_links() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_links boolean;
  broken text;
BEGIN
  SELECT bool_or(rear_port_id IS NOT NULL OR power_port_id IS NOT NULL OR kind = 'rear') INTO has_links FROM changed;
  IF has_links IS NOT TRUE THEN RETURN NULL; END IF;
  EXECUTE format('SELECT FROM %1$I r WHERE r.id IN (SELECT rear_port_id FROM changed) ORDER BY r.id FOR SHARE', TG_TABLE_NAME);
  EXECUTE format($sql$
    SELECT min(rule) FROM (
      SELECT CASE WHEN o.kind <> 'power' OR o.%2$I <> c.%2$I THEN $1 END AS rule
      FROM changed c JOIN %1$I o ON o.id = c.power_port_id
      UNION ALL
      SELECT CASE WHEN o.kind <> 'rear' OR o.%2$I <> c.%2$I THEN $2 WHEN c.rear_position > o.positions THEN $3 END
      FROM changed c JOIN %1$I o ON o.id = c.rear_port_id
    ) rules$sql$, TG_TABLE_NAME, TG_ARGV[0]) INTO broken USING TG_ARGV[1], TG_ARGV[2], TG_ARGV[3];
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'a port refers to one that it cannot belong to'
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = broken;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    EXECUTE format($sql$
      SELECT $1 FROM changed c JOIN %1$I f ON f.rear_port_id = c.id AND f.rear_position > c.positions LIMIT 1$sql$,
      TG_TABLE_NAME) INTO broken USING TG_ARGV[4];
    IF broken IS NOT NULL THEN
      RAISE EXCEPTION 'a port has a position that would be gone'
        USING ERRCODE = 'exclusion_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = broken;
    END IF;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER device_ports_links_insert AFTER INSERT ON device_ports REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION port_links('device_id', 'ck_device_ports_power_port', 'ck_device_ports_rear_port',
    'ck_device_ports_rear_position_most', 'ex_device_ports_positions');

CREATE OR REPLACE TRIGGER device_ports_links_update AFTER UPDATE ON device_ports REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION port_links('device_id', 'ck_device_ports_power_port', 'ck_device_ports_rear_port',
    'ck_device_ports_rear_position_most', 'ex_device_ports_positions');

CREATE OR REPLACE TRIGGER device_type_ports_links_insert AFTER INSERT ON device_type_ports REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION port_links('device_type_id', 'ck_device_type_ports_power_port',
    'ck_device_type_ports_rear_port', 'ck_device_type_ports_rear_position_most', 'ex_device_type_ports_positions');

CREATE OR REPLACE TRIGGER device_type_ports_links_update AFTER UPDATE ON device_type_ports REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION port_links('device_type_id', 'ck_device_type_ports_power_port',
    'ck_device_type_ports_rear_port', 'ck_device_type_ports_rear_position_most', 'ex_device_type_ports_positions');
