-- Keeps the ports that have no cable. Nothing of an answer is read from here: it only says where to look.
CREATE OR REPLACE FUNCTION free_ports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'device_ports' THEN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO free_ports (port_id, device_id) SELECT id, device_id FROM changed ON CONFLICT DO NOTHING;
    ELSE
      DELETE FROM free_ports f USING changed c WHERE f.port_id = c.id;
    END IF;
  ELSIF TG_OP = 'INSERT' THEN
    DELETE FROM free_ports f USING changed c WHERE f.port_id = c.end_id;
  ELSE
    INSERT INTO free_ports (port_id, device_id) SELECT p.id, p.device_id FROM changed c JOIN device_ports p ON p.id = c.end_id
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER device_ports_free_insert AFTER INSERT ON device_ports REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION free_ports();

CREATE OR REPLACE TRIGGER device_ports_free_delete AFTER DELETE ON device_ports REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION free_ports();

CREATE OR REPLACE TRIGGER cable_ends_free_insert AFTER INSERT ON cable_ends REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION free_ports();

CREATE OR REPLACE TRIGGER cable_ends_free_delete AFTER DELETE ON cable_ends REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION free_ports();
