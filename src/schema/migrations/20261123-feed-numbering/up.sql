-- What is added to the numbers of transactions in the change log.
CREATE TABLE change_log_numbering (
  single boolean DEFAULT true NOT NULL,
  difference bigint NOT NULL,
  CONSTRAINT pk_change_log_numbering PRIMARY KEY (single),
  CONSTRAINT ck_single CHECK (single)
);

INSERT INTO change_log_numbering (difference) VALUES (0);

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

-- The log may have come here from another server before this migration.
SELECT continue_change_log();

-- Logs the records that a statement created or deleted, and adds them to the kept counts, in one statement. The arguments
-- are those of log_records. Counts are differences in rows of their own, so that writers never wait for each other.
-- With the rights of the owner: nobody else can write the change log.
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
    FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(changed) AS row FROM changed OFFSET 0) changed_rows
  ), logged AS (
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, old_values, new_values)
      SELECT change_log_id(at), at, at, CASE WHEN created THEN 'create' ELSE 'delete' END, replace(TG_TABLE_NAME, '_', '-'),
        nullif(TG_ARGV[0], ''), id, left(row->>TG_ARGV[1], 255), (attribution->>'profileId')::uuid,
        coalesce(attribution->>'email', 'system'), attribution->>'requestId',
        pg_current_xact_id()::text::bigint + (SELECT difference FROM change_log_numbering),
        (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255),
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

-- Who could make a trigger of its own of this function could write entries about anything.
REVOKE ALL ON FUNCTION log_rows() FROM PUBLIC;

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
  before constant jsonb := to_jsonb(OLD);
  after constant jsonb := to_jsonb(NEW);
  secrets constant text[] := TG_ARGV[2];
  counted constant text[] := TG_ARGV[3];
  changed jsonb;
BEGIN
  IF NEW.id <> OLD.id THEN
    RAISE EXCEPTION 'The id of a record never changes' USING ERRCODE = 'insufficient_privilege';
  END IF;
  WITH logged AS (
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, old_values, new_values)
      SELECT change_log_id(at), at, at, 'update', replace(TG_TABLE_NAME, '_', '-'), nullif(TG_ARGV[0], ''), NEW.id,
        left(after->>TG_ARGV[1], 255), (attribution->>'profileId')::uuid, coalesce(attribution->>'email', 'system'),
        attribution->>'requestId', pg_current_xact_id()::text::bigint + (SELECT difference FROM change_log_numbering),
        (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255),
        CASE WHEN secrets = '{}' THEN was ELSE withhold(was, secrets) END || jsonb_build_object('updated_at', before->'updated_at'),
        CASE WHEN secrets = '{}' THEN became ELSE withhold(became, secrets) END
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

-- Who could make a trigger of its own of this function could write entries about anything.
REVOKE ALL ON FUNCTION log_update() FROM PUBLIC;

-- Logs the records of a table before it is emptied, and ends its counts. No request empties a table; SQL by hand may.
-- The arguments are those of log_records. TRUNCATE has no transition table: the rows are read before they go.
CREATE OR REPLACE FUNCTION log_truncate() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  emptied bigint;
BEGIN
  EXECUTE format(
    'INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, old_values)
      SELECT change_log_id(at), at, at, ''delete'', $1, $2, o.id, left(row->>$3, 255), $4, $5, $6, $7, $8, $9, withhold(row, $10)
      FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(t) AS row FROM %I.%I t OFFSET 0) o', TG_TABLE_SCHEMA, TG_TABLE_NAME)
    USING replace(TG_TABLE_NAME, '_', '-'), nullif(TG_ARGV[0], ''), TG_ARGV[1], (attribution->>'profileId')::uuid,
      coalesce(attribution->>'email', 'system'), attribution->>'requestId',
      pg_current_xact_id()::text::bigint + (SELECT difference FROM change_log_numbering),
      (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255), TG_ARGV[2]::text[];
  GET DIAGNOSTICS emptied = ROW_COUNT;
  DELETE FROM record_counts WHERE table_name = TG_TABLE_NAME;
  DELETE FROM value_counts WHERE table_name = TG_TABLE_NAME;
  INSERT INTO record_counts VALUES ('change_log', emptied);
  RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION log_truncate() FROM PUBLIC;
