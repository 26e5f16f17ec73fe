-- A reservation ends with its rack, its device or its change, also when the change is over. One that has not begun is deleted.
CREATE OR REPLACE FUNCTION end_reservations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    -- A reservation that is being made refers to the record. The lock waits for it, and the next statement sees it.
    CASE TG_TABLE_NAME
      WHEN 'racks' THEN PERFORM FROM racks WHERE id = OLD.id FOR UPDATE;
      WHEN 'devices' THEN PERFORM FROM devices WHERE id = OLD.id FOR UPDATE;
      ELSE PERFORM FROM change_requests WHERE id = OLD.id FOR UPDATE;
    END CASE;
  END IF;
  DELETE FROM rack_reservations
    WHERE (rack_id = OLD.id OR device_id = OLD.id OR change_request_id = OLD.id) AND start_time >= now()::timestamptz(3);
  UPDATE rack_reservations SET end_time = now()
    WHERE (rack_id = OLD.id OR device_id = OLD.id OR change_request_id = OLD.id) AND (end_time IS NULL OR end_time > now());
  RETURN OLD;
END
$$;

CREATE OR REPLACE TRIGGER racks_end_reservations BEFORE DELETE ON racks FOR EACH ROW EXECUTE FUNCTION end_reservations();

CREATE OR REPLACE TRIGGER devices_end_reservations BEFORE DELETE ON devices FOR EACH ROW EXECUTE FUNCTION end_reservations();

CREATE OR REPLACE TRIGGER change_requests_end_reservations BEFORE DELETE ON change_requests
  FOR EACH ROW EXECUTE FUNCTION end_reservations();

CREATE OR REPLACE TRIGGER change_requests_end_reservations_too AFTER UPDATE OF status ON change_requests
  FOR EACH ROW WHEN (
    NEW.status IN ('completed', 'failed', 'cancelled', 'rejected')
    AND OLD.status IS DISTINCT FROM NEW.status
  ) EXECUTE FUNCTION end_reservations();
