-- Cancels the bookings that nobody has picked up in time. A row that another replica has cancelled meanwhile is left alone.
CREATE OR REPLACE FUNCTION cancel_no_shows() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  cancelled integer;
BEGIN
  UPDATE bookings SET status = 'cancelled'
    WHERE status = 'booked' AND no_show_minutes IS NOT NULL AND start_time <= now() - make_interval(mins => no_show_minutes);
  GET DIAGNOSTICS cancelled = ROW_COUNT;
  RETURN cancelled;
END
$$;
