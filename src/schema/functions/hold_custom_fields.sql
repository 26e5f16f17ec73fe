-- Holds the rules of custom fields on the values of a record, whatever writes it. A new record gets the defaults. Nulls and empty
-- lists are no values. A value of a field that is gone falls, with no entry in the log.
--
-- Who changes a definition takes the lock of the table alone. A write that has it sees every definition that is committed, because
-- each statement has a snapshot of its own; a transaction with one snapshot fails if a definition has changed since. A new record
-- without values takes no lock where no definition asks for one (hold_new_custom_fields.sql). The argument is the resource of the table.
CREATE OR REPLACE FUNCTION hold_custom_fields() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner constant text := TG_ARGV[0];
  given jsonb := coalesce(NEW.custom_fields, '{}');
  before constant jsonb := CASE TG_OP WHEN 'UPDATE' THEN coalesce(OLD.custom_fields, '{}') ELSE '{}' END;
  field custom_fields;
  unknown text;
  fault text;
  other uuid;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('custom_fields'), hashtext(TG_TABLE_NAME));
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    PERFORM FROM custom_fields d WHERE owner = ANY(d.resources) FOR SHARE;
  END IF;
  IF jsonb_typeof(given) <> 'object' THEN
    RAISE EXCEPTION 'customFields must be an object' USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, COLUMN = 'customFields',
      CONSTRAINT = 'ck_custom_fields', DETAIL = 'must be an object';
  END IF;
  IF TG_OP = 'INSERT' THEN
    given := coalesce((SELECT jsonb_object_agg(d.stored_as, d.default_value) FROM custom_fields d
      WHERE owner = ANY(d.resources) AND d.default_value IS NOT NULL), '{}') || given;
  END IF;

  SELECT v.key INTO unknown FROM jsonb_each(given) v
    WHERE v.value <> 'null' AND v.value IS DISTINCT FROM before->v.key
      AND NOT EXISTS (SELECT FROM custom_fields d WHERE d.stored_as = v.key AND owner = ANY(d.resources)) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'customFields.% is not a known property', split_part(unknown, '#', 1) USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME,
      COLUMN = 'customFields.' || split_part(unknown, '#', 1), CONSTRAINT = 'ck_custom_fields', DETAIL = 'is not a known property';
  END IF;
  SELECT coalesce(jsonb_object_agg(v.key, v.value), '{}') INTO given
    FROM jsonb_each(given) v JOIN custom_fields d ON d.stored_as = v.key AND owner = ANY(d.resources)
    WHERE v.value NOT IN ('null', '[]');

  FOR field IN SELECT d.* FROM custom_fields d WHERE owner = ANY(d.resources)
      AND (given->d.stored_as IS DISTINCT FROM before->d.stored_as OR d.required AND NOT given ? d.stored_as)
      ORDER BY d.position, length(d.key), d.key COLLATE "C" LOOP
    fault := CASE WHEN given ? field.stored_as THEN custom_field_fault(field, given->field.stored_as) WHEN field.required THEN 'is required' END;
    IF fault IS NOT NULL THEN
      RAISE EXCEPTION 'customFields.% %', field.key, fault USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME,
        COLUMN = 'customFields.' || field.key, CONSTRAINT = 'ck_custom_fields', DETAIL = fault;
    END IF;
    -- A record may refer to itself, also a new one whose id is given.
    IF field.type = 'reference' AND given ? field.stored_as AND NOT (field.target = owner AND given->>field.stored_as = NEW.id::text) THEN
      -- The record is not deleted before this transaction ends, and its deletion sees the reference then.
      EXECUTE format('SELECT id FROM %I WHERE id = $1 FOR KEY SHARE', replace(field.target, '-', '_')) INTO other USING (given->>field.stored_as)::uuid;
      IF other IS NULL THEN
        RAISE EXCEPTION 'customFields.% does not refer to an existing record', field.key USING ERRCODE = 'foreign_key_violation',
          TABLE = TG_TABLE_NAME, COLUMN = 'customFields.' || field.key;
      END IF;
    END IF;
    IF field.is_unique THEN
      IF before ? field.stored_as THEN
        DELETE FROM custom_field_values v WHERE v.field_id = field.id AND v.resource = owner
          AND v.digest = custom_field_digest(field.type, before->field.stored_as) AND v.record_id = NEW.id;
      END IF;
      IF given ? field.stored_as THEN
        INSERT INTO custom_field_values (field_id, resource, digest, record_id)
          VALUES (field.id, owner, custom_field_digest(field.type, given->field.stored_as), NEW.id) ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
          SELECT v.record_id INTO other FROM custom_field_values v WHERE v.field_id = field.id AND v.resource = owner
            AND v.digest = custom_field_digest(field.type, given->field.stored_as);
          RAISE EXCEPTION 'customFields.% is already taken by another record', field.key USING ERRCODE = 'unique_violation', TABLE = TG_TABLE_NAME,
            COLUMN = 'customFields.' || field.key, CONSTRAINT = 'uq_custom_fields', DETAIL = format('Key (id)=(%s) already exists.', other);
        END IF;
      END IF;
    END IF;
  END LOOP;

  IF octet_length(given::text) > 262144 THEN
    RAISE EXCEPTION 'customFields must have at most 256 KiB in all' USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, COLUMN = 'customFields',
      CONSTRAINT = 'ck_custom_fields', DETAIL = 'must have at most 256 KiB in all';
  END IF;
  NEW.custom_fields := nullif(given, '{}');
  RETURN NEW;
END
$$;
