import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- Gives a new custom field the name that its values are stored by, which no other field ever had: its key, or where another field has
-- or had the same key, the key with a number. Values of a field that is gone never come back with a new one.
CREATE OR REPLACE FUNCTION name_custom_field() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  earlier bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('custom_fields'), 0);
  SELECT count(*) INTO earlier FROM custom_field_names n WHERE n.key = NEW.key;
  NEW.stored_as := CASE earlier WHEN 0 THEN NEW.key ELSE NEW.key || '#' || earlier + 1 END;
  INSERT INTO custom_field_names (stored_as, key) VALUES (NEW.stored_as, NEW.key);
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER custom_fields_name BEFORE INSERT ON custom_fields FOR EACH ROW EXECUTE FUNCTION name_custom_field();

CREATE OR REPLACE TRIGGER custom_fields_fixed BEFORE UPDATE OF key, type, target, stored_as ON custom_fields
  FOR EACH ROW WHEN ((NEW.key, NEW.type, NEW.target, NEW.stored_as) IS DISTINCT FROM (OLD.key, OLD.type, OLD.target, OLD.stored_as))
  EXECUTE FUNCTION keep_fixed('ck_custom_fields_fixed');`,
  `-- The custom values with which a deleted record comes back: those whose fields still exist and admit them. Every field that has a
-- default gets a value or null, so that the record gets no default. The function does not lock what is referred to: the trigger does.
CREATE OR REPLACE FUNCTION restored_custom_fields(owner text, stored jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  field custom_fields;
  value jsonb;
  is_there boolean;
  restored jsonb := '{}';
BEGIN
  FOR field IN SELECT d.* FROM custom_fields d WHERE owner = ANY(d.resources) LOOP
    value := CASE WHEN jsonb_typeof(stored) = 'object' THEN stored->field.stored_as END;
    IF value IS NOT NULL AND custom_field_fault(field, value) IS NOT NULL THEN value := NULL; END IF;
    IF value IS NOT NULL AND field.type = 'reference' THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE id = $1)', replace(field.target, '-', '_')) INTO is_there USING (value #>> '{}')::uuid;
      IF NOT is_there THEN value := NULL; END IF;
    END IF;
    IF value IS NOT NULL OR field.default_value IS NOT NULL THEN
      restored := restored || jsonb_build_object(field.stored_as, coalesce(value, 'null'));
    END IF;
  END LOOP;
  RETURN nullif(restored, '{}');
END
$$;`,
];

const down = [`DROP TRIGGER custom_fields_fixed ON custom_fields`, `DROP FUNCTION restored_custom_fields(text,jsonb)`];

export class CustomValuesRestored1795700000030 implements MigrationInterface {
  readonly name = 'CustomValuesRestored1795700000030';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
