-- The text of the trigger function that logs the change of a record of a table, keeps the counts of its values, and sets updated_at to
-- the time of the entry. It is the last of the triggers before an update, after those that change the record, because triggers run in
-- the order of their names. The arguments are those of logged_rows. The columns are compared by name: one query over the JSON of the
-- whole record would take a sixth of the time of a PATCH.
--
-- Texts are compared, because 1200 and 1200.00 are equal numbers. When a token was last used is no change of it. A
-- statement that sets updated_at by itself says that parts of the record have changed. The value of a custom field that is gone falls
-- with the next write, and is no change of the record. Approvals are those of a move that needed them (need_approvals.sql).
CREATE OR REPLACE FUNCTION logged_update(plain text, area text, name text, secrets text[], counted text[], custom boolean)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format($body$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  approved constant jsonb := nullif(current_setting('inventory.approvals', true), '')::jsonb;
  at constant timestamptz(3) := change_time(OLD.updated_at);
  was jsonb := '{}';
  became jsonb := '{}';
  approvals text[];
BEGIN
  IF NEW.id <> OLD.id THEN
    RAISE EXCEPTION 'The id of a record never changes' USING ERRCODE = 'insufficient_privilege';
  END IF;%s%s
  IF approved->>'record' = NEW.id::text THEN
    approvals := ARRAY(SELECT jsonb_array_elements_text(approved->'ids'));
    PERFORM set_config('inventory.approvals', '', true);
  END IF;
  IF was <> '{}' THEN
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, change_set_id, message, old_values, new_values, approval_ids)
      VALUES (change_log_id(at), at, at, 'update', %L, %L, NEW.id, %s, (attribution->>'profileId')::uuid,
        coalesce(attribution->>'email', 'system'), attribution->>'requestId',
        pg_current_xact_id()::text::bigint + (SELECT difference FROM change_log_numbering),
        (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255), (attribution->>'changeSetId')::uuid, attribution->>'message',
        was || jsonb_build_object('updated_at', OLD.updated_at), became, approvals);
    INSERT INTO record_counts VALUES ('change_log', 1);
  END IF;
  IF was <> '{}' OR NEW.updated_at <> OLD.updated_at THEN NEW.updated_at := at; END IF;
  RETURN NEW;
END
$body$,
    CASE WHEN custom THEN format($live$
  IF jsonb_typeof(OLD.custom_fields) = 'object' THEN
    OLD.custom_fields := live_custom_fields(%L, OLD.custom_fields);
  END IF;$live$, resource) END,
    string_agg(format($changed$
  IF OLD.%1$I::text IS DISTINCT FROM NEW.%1$I::text THEN
    was := was || jsonb_build_object(%1$L, %2$s);
    became := became || jsonb_build_object(%1$L, %3$s);%4$s
  END IF;$changed$,
      attname,
      CASE WHEN attname = ANY(secrets) THEN format($held$CASE WHEN OLD.%I IS NOT NULL THEN '(withheld)' END$held$, attname) ELSE format('OLD.%I', attname) END,
      CASE WHEN attname = ANY(secrets) THEN format($held$CASE WHEN NEW.%I IS NOT NULL THEN '(withheld)' END$held$, attname) ELSE format('NEW.%I', attname) END,
      CASE WHEN attname = ANY(counted) THEN format($counts$
    INSERT INTO value_counts SELECT %L, %L, value, delta
      FROM (VALUES (OLD.%3$I::text, -1), (NEW.%3$I::text, 1)) moved (value, delta) WHERE value IS NOT NULL;$counts$, plain, attname, attname) END), '')
      FILTER (WHERE attname NOT IN ('id', 'updated_at', 'last_used_at', 'last_used_address')),
    resource, nullif(area, ''),
    coalesce(max(format($named$left(to_jsonb(NEW.%I)#>>'{}', 255)$named$, attname)) FILTER (WHERE attname = name), 'NULL'))
  FROM (SELECT replace(plain, '_', '-') AS resource) given, pg_attribute
  WHERE attrelid = to_regclass(quote_ident(plain)) AND attnum > 0 AND NOT attisdropped
  GROUP BY resource
$$;
