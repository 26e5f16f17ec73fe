-- The earliest time, from one on, at which an asset of a category is free for as long as a span; null if there is none. It is this time, or the
-- end of a booking or of a hand-out.
CREATE OR REPLACE FUNCTION next_free_time(category uuid, from_time timestamptz, to_time timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT min(possible.at) FROM assets a
    CROSS JOIN LATERAL (
      SELECT from_time AS at
      UNION SELECT b.end_time FROM bookings b WHERE b.record_id = a.id AND b.status IN ('booked', 'out') AND b.end_time > from_time
      UNION SELECT o.due_at FROM asset_assignments o WHERE o.asset_id = a.id AND o.returned_at IS NULL AND o.due_at > from_time
    ) possible
    WHERE a.category_id = category AND possible.at <= timestamptz '9999-12-31 23:59:59.999Z' - (to_time - from_time)
      AND EXISTS (SELECT FROM free_assets(possible.at, possible.at + (to_time - from_time)) free (id) WHERE free.id = a.id)
$$;
