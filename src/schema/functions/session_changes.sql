-- Tells every replica whose sessions it must look up anew: the profile of a session that ended, or that changed.
CREATE OR REPLACE FUNCTION session_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_changes', CASE TG_TABLE_NAME WHEN 'sessions' THEN to_jsonb(OLD)->>'profile_id' ELSE OLD.id::text END);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER sessions_changes AFTER DELETE OR UPDATE OF profile_id, token_hash, expires_at ON sessions FOR EACH ROW
  EXECUTE FUNCTION session_changes();

CREATE OR REPLACE TRIGGER profiles_changes AFTER DELETE OR UPDATE ON profiles FOR EACH ROW EXECUTE FUNCTION session_changes();
