-- What an error message calls a booking.
CREATE OR REPLACE FUNCTION booking_text(booking bookings) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format('the booking of ''%s''%s from %s to %s (bookings %s)',
    coalesce((SELECT a.name FROM assets a WHERE a.id = booking.asset_id), (SELECT d.name FROM devices d WHERE d.id = booking.device_id)),
    (SELECT format(' for ''%s''', p.full_name) FROM people p WHERE p.id = booking.person_id),
    instant_text(booking.start_time), instant_text(booking.end_time), booking.id)
$$;
