-- The property of a coverage that is outside the days of its contract; null if both are within. Null is an open day of the contract, and
-- of the coverage that of the contract.
CREATE OR REPLACE FUNCTION day_outside(start_date date, end_date date, first_day date, last_day date)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN start_date < first_day OR start_date > last_day THEN 'startDate'
    WHEN end_date < first_day OR end_date > last_day THEN 'endDate'
  END
$$;
