-- What an error message calls a reservation: "the reservation of units 3, 4 of the front from … (rack-reservations …)".
CREATE OR REPLACE FUNCTION reservation_text(reservation uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format('the reservation of %s %s of %s%s%s (rack-reservations %s)',
    CASE cardinality(r.units) WHEN 1 THEN 'unit' ELSE 'units' END,
    array_to_string(r.units[1:20], ', ') || CASE WHEN cardinality(r.units) > 20 THEN ', …' ELSE '' END,
    CASE r.face WHEN 'front' THEN 'the front' WHEN 'rear' THEN 'the rear' ELSE 'both faces' END,
    ' from ' || instant_text(r.start_time), ' to ' || instant_text(r.end_time), r.id)
  FROM rack_reservations r WHERE r.id = reservation
$$;
