-- Lets the numbers of transactions go on after those in the change log. On one server no entry has the number of a transaction
-- that is still to come. A dump that is restored on another server has entries with numbers that this server may reach years
-- later: the feed would hide them, and show new entries before them. Returns whether the log has come from another server.
CREATE OR REPLACE FUNCTION continue_change_log() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE change_log_numbering SET difference = newest + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    FROM (SELECT transaction_id AS newest FROM change_log ORDER BY transaction_id DESC, id DESC LIMIT 1) log
    WHERE newest >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + difference;
  RETURN FOUND;
END
$$;

REVOKE ALL ON FUNCTION continue_change_log() FROM PUBLIC;
