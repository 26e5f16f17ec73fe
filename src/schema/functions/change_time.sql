-- The time of a transaction, so that all that it does is done at once. A transaction that began earlier than the last
-- change of the record, and waited for it, takes the time of that change: a record never goes back in time. A time ahead
-- of the clock can only come from SQL by hand.
CREATE OR REPLACE FUNCTION change_time(last timestamptz) RETURNS timestamptz LANGUAGE sql AS $$
  SELECT greatest(now(), least(last, clock_timestamp()))::timestamptz(3)
$$;
