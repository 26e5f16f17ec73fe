-- Makes a table one of records, whose changes are logged and counted from now on: a trigger for each of insert, update and
-- delete, and one for TRUNCATE, which no request runs; and those of custom fields. May be repeated.
--
-- `area` is that of the resource, `name` the column that names a record, `secrets` are columns whose values are withheld,
-- `counted` those whose values are counted. `listed` says whether the resource has a list of its own, with a total.
CREATE OR REPLACE FUNCTION log_records(records regclass, area text, name text, secrets text[], counted text[], listed boolean)
RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  plain constant text := (SELECT relname FROM pg_class WHERE oid = records);
  -- Records of the families have custom fields.
  custom constant boolean := EXISTS (SELECT FROM pg_attribute WHERE attrelid = records AND attname = 'custom_fields' AND NOT attisdropped);
  counted_column text;
  event text;
BEGIN
  -- What logs them is made for the table: with the rights of the owner, because nobody else can write the change log, and revoked from
  -- everybody, because a role with EXECUTE could forge entries with a trigger of its own.
  FOREACH event IN ARRAY ARRAY['insert', 'update', 'delete'] LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS %L',
      plain || '_' || event, CASE event WHEN 'update' THEN logged_update(plain, area, name, secrets, counted, custom)
        ELSE logged_rows(event, plain, area, name, secrets, counted, listed, custom) END);
    EXECUTE format('REVOKE ALL ON FUNCTION %I() FROM PUBLIC', plain || '_' || event);
  END LOOP;
  EXECUTE format('CREATE OR REPLACE TRIGGER %1$I AFTER INSERT ON %2$s REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION %1$I()', plain || '_insert', records);
  EXECUTE format('CREATE OR REPLACE TRIGGER %1$I BEFORE UPDATE ON %2$s
    FOR EACH ROW WHEN (OLD *<> NEW) EXECUTE FUNCTION %1$I()', plain || '_update', records);
  EXECUTE format('CREATE OR REPLACE TRIGGER %1$I AFTER DELETE ON %2$s REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION %1$I()', plain || '_delete', records);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE TRUNCATE ON %s
    FOR EACH STATEMENT EXECUTE FUNCTION log_truncate(%L, %L, %L, %L, %L)', plain || '_truncate', records, coalesce(area, ''), name, secrets, counted, listed);

  IF custom THEN
    PERFORM hold_new_custom_fields(replace(plain, '_', '-'));
    EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE UPDATE ON %s
      FOR EACH ROW WHEN (NEW.custom_fields IS DISTINCT FROM OLD.custom_fields) EXECUTE FUNCTION hold_custom_fields(%L)',
      plain || '_custom_changed', records, replace(plain, '_', '-'));
    EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER DELETE ON %s
      FOR EACH ROW WHEN (OLD.custom_fields IS NOT NULL) EXECUTE FUNCTION free_custom_values(%L)',
      plain || '_custom_freed', records, replace(plain, '_', '-'));
    EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER DELETE ON %s REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION clear_custom_references(%L)', plain || '_custom_cleared', records, replace(plain, '_', '-'));
  END IF;

  -- The triggers have locked the table for writers. What is not counted yet is counted now.
  DELETE FROM value_counts WHERE table_name = plain AND column_name <> ALL(counted);
  IF listed AND NOT EXISTS (SELECT FROM record_counts WHERE table_name = plain) THEN
    EXECUTE format('INSERT INTO record_counts SELECT %L, count(*) FROM %s HAVING count(*) > 0', plain, records);
  END IF;
  FOREACH counted_column IN ARRAY counted LOOP
    CONTINUE WHEN EXISTS (SELECT FROM value_counts WHERE table_name = plain AND column_name = counted_column);
    EXECUTE format('INSERT INTO value_counts SELECT %L, %L, %3$I, count(*) FROM %4$s WHERE %3$I IS NOT NULL GROUP BY %3$I',
      plain, counted_column, counted_column, records);
  END LOOP;
END
$$;
