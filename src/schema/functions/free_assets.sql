-- The assets that are lent, and that nobody has or has booked within a span. An asset that is out without a `due_at` may stay out.
CREATE OR REPLACE FUNCTION free_assets(from_time timestamptz, to_time timestamptz) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT a.id FROM assets a
  WHERE a.status IN ('in_stock', 'in_use', 'reserved', 'pending')
    AND NOT EXISTS (SELECT FROM bookings b WHERE b.record_id = a.id AND b.status IN ('booked', 'out')
      AND tstzrange(b.start_time, b.end_time) && tstzrange(from_time, to_time))
    AND NOT EXISTS (SELECT FROM asset_assignments o WHERE o.asset_id = a.id AND o.returned_at IS NULL
      AND (o.due_at IS NULL OR o.due_at > from_time))
$$;
