-- A booking is of an asset or a device. Of an asset and the devices made of it there is one booking at a time: `record_id`. Its row is locked,
-- so that bookings at once wait for each other, and this one sees those before it. The exclusion constraint would make them deadlock.
CREATE OR REPLACE FUNCTION place_booking() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  other bookings;
BEGIN
  -- The constraints of the table refuse it.
  IF (NEW.end_time > NEW.start_time) IS NOT TRUE THEN
    NEW.record_id := coalesce(NEW.record_id, NEW.asset_id, NEW.device_id, NEW.id);
    RETURN NEW;
  END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.asset_id IS NULL AND NEW.device_id IS NULL AND NEW.category_id IS NOT NULL THEN
      NEW.asset_id := book_any_asset(NEW.category_id, NEW.start_time, NEW.end_time);
    END IF;
    SELECT coalesce(d.asset_id, d.id) INTO NEW.record_id FROM devices d WHERE d.id = NEW.device_id FOR NO KEY UPDATE;
    NEW.record_id := coalesce(NEW.record_id, NEW.asset_id, NEW.device_id, NEW.id);
  END IF;
  IF NEW.status NOT IN ('booked', 'out') THEN RETURN NEW; END IF;
  PERFORM FROM assets WHERE id = NEW.record_id FOR NO KEY UPDATE;
  SELECT b.* INTO other FROM bookings b
    WHERE b.record_id = NEW.record_id AND b.id <> NEW.id AND b.status IN ('booked', 'out')
      AND tstzrange(b.start_time, b.end_time) && tstzrange(NEW.start_time, NEW.end_time)
    ORDER BY b.start_time LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'bookings overlap' USING ERRCODE = 'exclusion_violation', TABLE = 'bookings', CONSTRAINT = 'ex_bookings_time',
      DETAIL = booking_text(other);
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER bookings_place_insert BEFORE INSERT ON bookings FOR EACH ROW EXECUTE FUNCTION place_booking();

CREATE OR REPLACE TRIGGER bookings_place_update BEFORE UPDATE OF start_time, end_time ON bookings FOR EACH ROW
  WHEN ((NEW.start_time, NEW.end_time) IS DISTINCT FROM (OLD.start_time, OLD.end_time)) EXECUTE FUNCTION place_booking();
