-- The text of the trigger function that logs the change of a record of a table, keeps the counts of its values, and sets updated_at to
-- the time of the entry. It is the last of the triggers before an update, after those that change the record, because triggers run in
-- the order of their names. The arguments are those of logged_rows.
--
-- Texts are compared, because to jsonb 1200 and 1200.00 are equal. When a token was last used is no change of it. A
-- statement that sets updated_at by itself says that parts of the record have changed. The value of a custom field that is gone falls
-- with the next write, and is no change of the record. Approvals are those of a move that needed them (need_approvals.sql).
CREATE OR REPLACE FUNCTION logged_update(plain text, area text, name text, secrets text[], counted text[], custom boolean)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format($body$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  approved constant jsonb := nullif(current_setting('inventory.approvals', true), '')::jsonb;
  at constant timestamptz(3) := change_time(OLD.updated_at);
  before jsonb := to_jsonb(OLD);
  after constant jsonb := to_jsonb(NEW);
  was jsonb;
  became jsonb;
  approvals text[];
BEGIN
  IF NEW.id <> OLD.id THEN
    RAISE EXCEPTION 'The id of a record never changes' USING ERRCODE = 'insufficient_privilege';
  END IF;%s
  SELECT jsonb_object_agg(b.key, b.value), jsonb_object_agg(b.key, after->b.key) INTO was, became FROM jsonb_each(before) b
    WHERE b.value::text <> (after->b.key)::text AND b.key NOT IN ('updated_at', 'last_used_at', 'last_used_address');
  IF approved->>'record' = NEW.id::text THEN
    approvals := ARRAY(SELECT jsonb_array_elements_text(approved->'ids'));
    PERFORM set_config('inventory.approvals', '', true);
  END IF;
  IF was IS NOT NULL THEN
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, change_set_id, message, old_values, new_values, approval_ids)
      VALUES (change_log_id(at), at, at, 'update', %L, %L, NEW.id, left(after->>%L, 255), (attribution->>'profileId')::uuid,
        coalesce(attribution->>'email', 'system'), attribution->>'requestId',
        pg_current_xact_id()::text::bigint + (SELECT difference FROM change_log_numbering),
        (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255), (attribution->>'changeSetId')::uuid, attribution->>'message',
        %s || jsonb_build_object('updated_at', before->'updated_at'), %s, approvals);
    INSERT INTO record_counts VALUES ('change_log', 1);%s
  END IF;
  IF was IS NOT NULL OR NEW.updated_at <> OLD.updated_at THEN NEW.updated_at := at; END IF;
  RETURN NEW;
END
$body$,
    CASE WHEN custom THEN format($live$
  IF jsonb_typeof(OLD.custom_fields) = 'object' THEN
    before := before || jsonb_build_object('custom_fields', live_custom_fields(%L, OLD.custom_fields));
  END IF;$live$, resource) END,
    resource, nullif(area, ''), name,
    CASE WHEN secrets = '{}' THEN 'was' ELSE format('withhold(was, %L)', secrets) END,
    CASE WHEN secrets = '{}' THEN 'became' ELSE format('withhold(became, %L)', secrets) END,
    CASE WHEN counted <> '{}' THEN format($counts$
    IF was ?| %1$L THEN
      INSERT INTO value_counts
        SELECT %2$L, name, value, delta
        FROM unnest(%1$L::text[]) name CROSS JOIN LATERAL (VALUES (before->>name, -1), (after->>name, 1)) AS moved (value, delta)
        WHERE was ? name AND value IS NOT NULL;
    END IF;$counts$, counted, plain) END)
  FROM (SELECT replace(plain, '_', '-') AS resource) given
$$;
