-- Logs the change of a record, keeps the counts of its values, and sets updated_at to the time of the entry. It is the
-- last of the triggers before an update, after those that change the record, because triggers run in the order of their
-- names. The arguments are those of log_records. With the rights of the owner: nobody else can write the change log.
--
-- Texts are compared, because to jsonb 1200 and 1200.00 are equal. When a token was last used is no change of it. A
-- statement that sets updated_at by itself says that parts of the record have changed.
CREATE OR REPLACE FUNCTION log_update() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  at constant timestamptz(3) := change_time(OLD.updated_at);
  before jsonb := to_jsonb(OLD);
  after constant jsonb := to_jsonb(NEW);
  secrets constant text[] := TG_ARGV[2];
  counted constant text[] := TG_ARGV[3];
  changed jsonb;
  -- Of a move that needed approvals (need_approvals.sql).
  approved constant jsonb := nullif(current_setting('inventory.approvals', true), '')::jsonb;
  approvals constant text[] := CASE WHEN approved->>'record' = NEW.id::text THEN ARRAY(SELECT jsonb_array_elements_text(approved->'ids')) END;
BEGIN
  IF NEW.id <> OLD.id THEN
    RAISE EXCEPTION 'The id of a record never changes' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- The value of a custom field that is gone falls with the next write, and is no change of the record.
  IF jsonb_typeof(before->'custom_fields') = 'object' THEN
    before := before || jsonb_build_object('custom_fields', live_custom_fields(replace(TG_TABLE_NAME, '_', '-'), before->'custom_fields'));
  END IF;
  WITH logged AS (
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, change_set_id, message, old_values, new_values, approval_ids)
      SELECT change_log_id(at), at, at, 'update', replace(TG_TABLE_NAME, '_', '-'), nullif(TG_ARGV[0], ''), NEW.id,
        left(after->>TG_ARGV[1], 255), (attribution->>'profileId')::uuid, coalesce(attribution->>'email', 'system'),
        attribution->>'requestId', pg_current_xact_id()::text::bigint + (SELECT difference FROM change_log_numbering),
        (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255), (attribution->>'changeSetId')::uuid, attribution->>'message',
        CASE WHEN secrets = '{}' THEN was ELSE withhold(was, secrets) END || jsonb_build_object('updated_at', before->'updated_at'),
        CASE WHEN secrets = '{}' THEN became ELSE withhold(became, secrets) END, approvals
      FROM (
        SELECT jsonb_object_agg(b.key, b.value) AS was, jsonb_object_agg(b.key, after->b.key) AS became FROM jsonb_each(before) b
        WHERE b.value::text <> (after->b.key)::text AND b.key NOT IN ('updated_at', 'last_used_at', 'last_used_address')
      ) difference
      WHERE was IS NOT NULL
    RETURNING old_values
  ), total AS (
    INSERT INTO record_counts SELECT 'change_log', 1 FROM logged
  )
  SELECT old_values INTO changed FROM logged;
  IF approvals IS NOT NULL THEN
    PERFORM set_config('inventory.approvals', '', true);
  END IF;
  IF changed ?| counted THEN
    INSERT INTO value_counts
      SELECT TG_TABLE_NAME, name, value, delta
      FROM unnest(counted) name CROSS JOIN LATERAL (VALUES (before->>name, -1), (after->>name, 1)) AS moved (value, delta)
      WHERE changed ? name AND value IS NOT NULL;
  END IF;
  IF changed IS NOT NULL OR NEW.updated_at <> OLD.updated_at THEN NEW.updated_at := at; END IF;
  RETURN NEW;
END
$$;

-- Revoked from everybody: a role with EXECUTE could forge log entries, with a trigger of its own.
REVOKE ALL ON FUNCTION log_update() FROM PUBLIC;
