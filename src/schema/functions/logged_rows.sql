-- The text of the trigger function that logs the records of a table that a statement created or deleted, and adds them to the kept
-- counts. Counts are differences in rows of their own, so that writers never wait for each other. Values of custom fields that are
-- gone are not told. `event` is insert or delete, `custom` whether the records have custom fields; the others are those of log_records.
CREATE OR REPLACE FUNCTION logged_rows(event text, plain text, area text, name text, secrets text[], counted text[], listed boolean, custom boolean)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format($body$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  written bigint;
BEGIN
  INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
      request_id, transaction_id, token_id, token_name, change_set_id, message, %s)
    SELECT change_log_id(at), at, at, %L, %L, %L, id, left(row->>%L, 255), (attribution->>'profileId')::uuid,
      coalesce(attribution->>'email', 'system'), attribution->>'requestId',
      pg_current_xact_id()::text::bigint + (SELECT difference FROM change_log_numbering),
      (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255), (attribution->>'changeSetId')::uuid, attribution->>'message', %s
    FROM (SELECT id, change_time(updated_at) AS at, %s AS row FROM changed OFFSET 0) changed_rows;
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written > 0 THEN
    INSERT INTO record_counts VALUES ('change_log', written)%s;%s
  END IF;
  RETURN NULL;
END
$body$,
    CASE WHEN created THEN 'new_values' ELSE 'old_values' END,
    CASE WHEN created THEN 'create' ELSE 'delete' END, resource, nullif(area, ''), name,
    CASE WHEN secrets = '{}' THEN 'row' ELSE format('withhold(row, %L)', secrets) END,
    CASE WHEN created OR NOT custom THEN 'to_jsonb(changed)' ELSE format($row$CASE WHEN jsonb_typeof(custom_fields) = 'object'
        THEN to_jsonb(changed) || jsonb_build_object('custom_fields', live_custom_fields(%L, custom_fields)) ELSE to_jsonb(changed) END$row$, resource) END,
    CASE WHEN listed THEN format(', (%L, %swritten)', plain, sign) ELSE '' END,
    (SELECT E'\n    INSERT INTO value_counts ' || string_agg(
      format('SELECT %L, %L, %3$I::text, %4$scount(*) FROM changed WHERE %3$I IS NOT NULL GROUP BY 3', plain, value_column, value_column, sign),
      E'\n      UNION ALL ') || ';' FROM unnest(counted) value_column))
  FROM (SELECT event = 'insert' AS created, CASE event WHEN 'insert' THEN '' ELSE '-' END AS sign, replace(plain, '_', '-') AS resource) given
$$;
