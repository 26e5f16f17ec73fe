-- Why a change was made, as the request says.
ALTER TABLE change_log ADD message text;

DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_change_log_search ON change_log USING gin (message gin_trgm_ops) WITH (gin_pending_list_limit = 256) WHERE message IS NOT NULL;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching change_log will read all of it';
END
$$;
