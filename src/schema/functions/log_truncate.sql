-- Logs the records of a table before it is emptied, and ends its counts. No request empties a table; SQL by hand may.
-- The arguments are those of log_records. TRUNCATE has no transition table: the rows are read before they go.
CREATE OR REPLACE FUNCTION log_truncate() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  emptied bigint;
BEGIN
  EXECUTE format(
    'INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, old_values, message, change_set_id)
      SELECT change_log_id(at), at, at, ''delete'', $1, $2, o.id, left(row->>$3, 255), $4, $5, $6, $7, $8, $9, withhold(row, $10), $11, $12
      FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(t) AS row FROM %I.%I t OFFSET 0) o', TG_TABLE_SCHEMA, TG_TABLE_NAME)
    USING replace(TG_TABLE_NAME, '_', '-'), nullif(TG_ARGV[0], ''), TG_ARGV[1], (attribution->>'profileId')::uuid,
      coalesce(attribution->>'email', 'system'), attribution->>'requestId',
      pg_current_xact_id()::text::bigint + (SELECT difference FROM change_log_numbering),
      (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255), TG_ARGV[2]::text[], attribution->>'message', (attribution->>'changeSetId')::uuid;
  GET DIAGNOSTICS emptied = ROW_COUNT;
  DELETE FROM record_counts WHERE table_name = TG_TABLE_NAME;
  DELETE FROM value_counts WHERE table_name = TG_TABLE_NAME;
  INSERT INTO record_counts VALUES ('change_log', emptied);
  RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION log_truncate() FROM PUBLIC;
