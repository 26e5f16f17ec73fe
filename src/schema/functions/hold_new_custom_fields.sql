-- Makes the trigger that holds the custom fields of new records of a resource. Where a field is required or has a default, it runs for
-- every record, and else for those with values only: it costs nothing where nobody has defined a field. With the rights of the owner,
-- because a trigger is made by nobody else.
--
-- The definitions are locked before the table, and the table before the lock that its writes share: a write that waits for that one has
-- locked the table already.
CREATE OR REPLACE FUNCTION hold_new_custom_fields(owner text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  plain constant text := replace(owner, '-', '_');
  name constant text := plain || '_custom_new';
  each boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('custom_fields'), 0);
  each := EXISTS (SELECT FROM custom_fields d WHERE owner = ANY(d.resources) AND (d.required OR d.default_value IS NOT NULL));
  IF EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = to_regclass(plain) AND t.tgname = name AND (t.tgqual IS NULL) = each) THEN RETURN; END IF;
  EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE INSERT ON %I FOR EACH ROW %s EXECUTE FUNCTION hold_custom_fields(%L)',
    name, plain, CASE WHEN NOT each THEN 'WHEN (NEW.custom_fields IS NOT NULL)' END, owner);
END
$$;

REVOKE ALL ON FUNCTION hold_new_custom_fields(text) FROM PUBLIC;
