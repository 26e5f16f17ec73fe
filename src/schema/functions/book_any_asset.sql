-- An asset of a category that is free for a whole span, locked. One that is refused to be free was locked too: another transaction had taken
-- it. Of those that are free it is the one that was free for the shortest time before, which leaves others for longer spans.
CREATE OR REPLACE FUNCTION book_any_asset(category uuid, from_time timestamptz, to_time timestamptz) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  candidate uuid;
  next_time timestamptz;
BEGIN
  LOOP
    SELECT a.id INTO candidate FROM assets a JOIN free_assets(from_time, to_time) free (id) ON free.id = a.id
      WHERE a.category_id = category
      ORDER BY (SELECT max(b.end_time) FROM bookings b
        WHERE b.record_id = a.id AND b.status IN ('booked', 'out') AND b.end_time <= from_time) DESC NULLS LAST, a.created_at, a.id
      LIMIT 1;
    EXIT WHEN NOT FOUND;
    PERFORM FROM assets a WHERE a.id = candidate FOR NO KEY UPDATE;
    -- A statement of its own sees what was committed while the lock was waited for.
    PERFORM FROM assets a JOIN free_assets(from_time, to_time) free (id) ON free.id = a.id
      WHERE a.id = candidate AND a.category_id = category;
    IF FOUND THEN RETURN candidate; END IF;
  END LOOP;
  PERFORM FROM asset_categories WHERE id = category;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no such category'
      USING ERRCODE = 'foreign_key_violation', TABLE = 'bookings', CONSTRAINT = 'fk_bookings_category_id';
  END IF;
  next_time := next_free_time(category, from_time, to_time);
  RAISE EXCEPTION 'no asset of the category is free'
    USING ERRCODE = 'exclusion_violation', TABLE = 'bookings', CONSTRAINT = 'ex_bookings_category',
      DETAIL = format('from %s to %s%s', instant_text(from_time), instant_text(to_time),
        CASE WHEN next_time IS NULL THEN ', nor later'
          ELSE format('; the next free span is from %s to %s', instant_text(next_time), instant_text(next_time + (to_time - from_time))) END);
END
$$;
