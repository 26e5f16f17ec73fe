-- The partitions of the change log, with the times at which they start and end. The default one has neither.
CREATE OR REPLACE FUNCTION change_log_partitions() RETURNS TABLE(name regclass, starts timestamptz, ends timestamptz) LANGUAGE sql
STABLE AS $$
  SELECT oid::regclass, CASE WHEN bound <> 'DEFAULT' THEN coalesce(substring(bound FROM 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity') END,
    substring(bound FROM 'TO \(''([^'']+)''\)')::timestamptz
  FROM (
    SELECT c.oid, pg_get_expr(c.relpartbound, c.oid) AS bound
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'change_log'::regclass
  ) partitions
$$;
