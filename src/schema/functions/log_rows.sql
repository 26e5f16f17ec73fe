-- Logs the records that a statement created or deleted, and adds them to the kept counts, in one statement. The arguments
-- are those of log_records. Counts are differences in rows of their own, so that writers never wait for each other.
-- With the rights of the owner: nobody else can write the change log. Values of custom fields that are gone are not told.
CREATE OR REPLACE FUNCTION log_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  created constant boolean := TG_OP = 'INSERT';
  secrets constant text[] := TG_ARGV[2];
  counted constant text[] := TG_ARGV[3];
  listed constant boolean := TG_ARGV[4];
BEGIN
  WITH written AS MATERIALIZED (
    SELECT id, at, row, CASE WHEN secrets = '{}' THEN row ELSE withhold(row, secrets) END AS shown
    FROM (
      SELECT id, at, CASE WHEN NOT created AND jsonb_typeof(row->'custom_fields') = 'object'
        THEN row || jsonb_build_object('custom_fields', live_custom_fields(replace(TG_TABLE_NAME, '_', '-'), row->'custom_fields')) ELSE row END AS row
      FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(changed) AS row FROM changed OFFSET 0) stored_rows OFFSET 0
    ) changed_rows
  ), logged AS (
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, change_set_id, message, old_values, new_values)
      SELECT change_log_id(at), at, at, CASE WHEN created THEN 'create' ELSE 'delete' END, replace(TG_TABLE_NAME, '_', '-'),
        nullif(TG_ARGV[0], ''), id, left(row->>TG_ARGV[1], 255), (attribution->>'profileId')::uuid,
        coalesce(attribution->>'email', 'system'), attribution->>'requestId',
        pg_current_xact_id()::text::bigint + (SELECT difference FROM change_log_numbering),
        (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255), (attribution->>'changeSetId')::uuid, attribution->>'message',
        CASE WHEN NOT created THEN shown END, CASE WHEN created THEN shown END
      FROM written
  ), counted_values AS (
    INSERT INTO value_counts
      SELECT TG_TABLE_NAME, name, row->>name, CASE WHEN created THEN count(*) ELSE -count(*) END
      FROM written, unnest(counted) name WHERE row->>name IS NOT NULL GROUP BY 2, 3
  )
  INSERT INTO record_counts
    SELECT name, CASE WHEN created OR name = 'change_log' THEN n ELSE -n END
    FROM (SELECT count(*) AS n FROM written) total, unnest(ARRAY['change_log', CASE WHEN listed THEN TG_TABLE_NAME END]) name
    WHERE n > 0 AND name IS NOT NULL;
  RETURN NULL;
END
$$;

-- Revoked from everybody: a role with EXECUTE could forge log entries, with a trigger of its own.
REVOKE ALL ON FUNCTION log_rows() FROM PUBLIC;
