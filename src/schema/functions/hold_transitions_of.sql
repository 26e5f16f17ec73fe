-- Makes the triggers of a field that has transitions, or drops those of one that has none. The table is locked before the lock that
-- writers share is taken: a writer that waits for that one has locked the table already.
CREATE OR REPLACE FUNCTION hold_transitions_of(of_resource text, of_field text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  plain constant text := replace(of_resource, '-', '_');
  name constant text := format('%s_transitions_%s', plain, of_field);
  defined constant boolean := EXISTS (SELECT FROM transitions t WHERE t.resource = of_resource AND t.field = of_field);
  held constant boolean := EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = to_regclass(plain) AND t.tgname = name);
BEGIN
  IF defined <> held THEN
    EXECUTE format('LOCK TABLE %I IN %s MODE', plain, CASE WHEN defined THEN 'SHARE ROW EXCLUSIVE' ELSE 'ACCESS EXCLUSIVE' END);
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('transitions'), hashtext(plain));
  IF defined AND NOT held THEN
    EXECUTE format('CREATE TRIGGER %I BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION hold_transitions(%L, %L)',
      name || '_new', plain, of_resource, of_field);
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE ON %I FOR EACH ROW WHEN (NEW.%3$I IS DISTINCT FROM OLD.%3$I) EXECUTE FUNCTION hold_transitions(%4$L, %3$L)',
      name, plain, of_field, of_resource);
  ELSIF held AND NOT defined THEN
    EXECUTE format('DROP TRIGGER %I ON %I', name || '_new', plain);
    EXECUTE format('DROP TRIGGER %I ON %I', name, plain);
  END IF;
END
$$;

REVOKE ALL ON FUNCTION hold_transitions_of(text, text) FROM PUBLIC;
