-- An asset that comes back ends the booking with which it was out.
CREATE OR REPLACE FUNCTION end_bookings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bookings SET status = 'ended' WHERE record_id = NEW.asset_id AND status = 'out';
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER asset_assignments_end_bookings AFTER UPDATE OF returned_at ON asset_assignments
  FOR EACH ROW WHEN (OLD.returned_at IS NULL AND NEW.returned_at IS NOT NULL) EXECUTE FUNCTION end_bookings();
