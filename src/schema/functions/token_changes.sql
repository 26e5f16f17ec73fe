-- Tells every replica whose tokens it must look up anew. A token that is renamed is too: the change log has its name.
CREATE OR REPLACE FUNCTION token_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_changes', OLD.profile_id::text);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER tokens_changes
  AFTER DELETE OR UPDATE OF name, profile_id, prefix, secret_hash, role, areas, read_only, allowed_networks, expires_at ON tokens
  FOR EACH ROW EXECUTE FUNCTION token_changes();
