-- What was booked for a change is cancelled when the change is finished or cancelled.
CREATE OR REPLACE FUNCTION cancel_bookings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bookings SET status = 'cancelled' WHERE change_request_id = NEW.id AND status = 'booked';
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER change_requests_cancel_bookings AFTER UPDATE OF status ON change_requests
  FOR EACH ROW WHEN (
    NEW.status IN ('completed', 'failed', 'cancelled', 'rejected')
    AND OLD.status IS DISTINCT FROM NEW.status
  ) EXECUTE FUNCTION cancel_bookings();
