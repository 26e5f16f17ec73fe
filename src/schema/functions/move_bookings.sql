-- The bookings of a device are those of the asset that it is made of, and follow when that changes.
CREATE OR REPLACE FUNCTION move_bookings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  record constant uuid := coalesce(NEW.asset_id, NEW.id);
  other bookings;
BEGIN
  PERFORM FROM assets WHERE id = NEW.asset_id FOR NO KEY UPDATE;
  SELECT b.* INTO other FROM bookings b JOIN bookings own ON tstzrange(b.start_time, b.end_time) && tstzrange(own.start_time, own.end_time)
    WHERE own.device_id = NEW.id AND own.status IN ('booked', 'out')
      AND b.record_id = record AND b.id <> own.id AND b.status IN ('booked', 'out')
    ORDER BY b.start_time LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'bookings would overlap' USING ERRCODE = 'exclusion_violation', TABLE = 'devices',
      CONSTRAINT = 'ex_devices_asset_id_bookings', DETAIL = booking_text(other);
  END IF;
  UPDATE bookings SET record_id = record WHERE device_id = NEW.id AND record_id <> record AND status IN ('booked', 'out');
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER devices_move_bookings AFTER UPDATE OF asset_id ON devices
  FOR EACH ROW WHEN (NEW.asset_id IS DISTINCT FROM OLD.asset_id) EXECUTE FUNCTION move_bookings();
