-- An asset that is booked is handed out to the person of the booking only. For that person it is the pick-up of the booking, which also says
-- when the asset is due. A booking to come refuses a hand-out that lasts into it. Who hands out has locked the asset, as who books has.
CREATE OR REPLACE FUNCTION book_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at constant timestamptz := clock_timestamp();
  other bookings;
  due timestamptz;
BEGIN
  SELECT b.* INTO other FROM bookings b
    WHERE b.record_id = NEW.asset_id AND b.status IN ('booked', 'out') AND b.person_id IS DISTINCT FROM NEW.person_id
      AND b.end_time > at AND (b.start_time <= at OR b.start_time < NEW.due_at)
    ORDER BY b.start_time LIMIT 1;
  IF FOUND AND other.start_time <= at THEN
    RAISE EXCEPTION 'the asset is booked' USING ERRCODE = 'exclusion_violation', TABLE = 'asset_assignments',
      CONSTRAINT = 'ex_asset_assignments_booked', DETAIL = booking_text(other);
  ELSIF FOUND THEN
    RAISE EXCEPTION 'the asset is booked before it is due' USING ERRCODE = 'exclusion_violation', TABLE = 'asset_assignments',
      CONSTRAINT = 'ex_asset_assignments_due', DETAIL = booking_text(other);
  END IF;
  UPDATE bookings b SET status = 'out'
    WHERE b.record_id = NEW.asset_id AND b.status = 'booked' AND b.person_id = NEW.person_id AND b.start_time <= at AND b.end_time > at
    RETURNING b.end_time INTO due;
  NEW.due_at := coalesce(NEW.due_at, due);
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER asset_assignments_book BEFORE INSERT ON asset_assignments
  FOR EACH ROW WHEN (NEW.returned_at IS NULL AND NEW.person_id IS NOT NULL) EXECUTE FUNCTION book_assignments();
