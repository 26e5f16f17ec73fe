import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `CREATE TABLE "custom_fields" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "key" character varying(63) NOT NULL, "label" character varying(255), "description" text, "resources" text array NOT NULL, "type" character varying(32) NOT NULL, "choices" text array, "target" character varying(255), "required" boolean NOT NULL DEFAULT false, "is_unique" boolean NOT NULL DEFAULT false, "default_value" jsonb, "minimum" jsonb, "maximum" jsonb, "pattern" character varying(255), "searched" boolean NOT NULL DEFAULT false, "position" integer NOT NULL DEFAULT '0', "status" character varying(32) NOT NULL DEFAULT 'ready', "stored_as" text NOT NULL, "pattern_sql" text, CONSTRAINT "ck_type" CHECK ("type" IN ('text', 'integer', 'decimal', 'boolean', 'date', 'dateTime', 'url', 'choice', 'tags', 'reference')), CONSTRAINT "ck_status" CHECK ("status" IN ('building', 'ready')), CONSTRAINT "pk_custom_fields" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_custom_fields_created_at_id" ON "custom_fields"  ("created_at", "id") `,
  `CREATE UNIQUE INDEX "ix_custom_fields_stored_as" ON "custom_fields"  ("stored_as") `,
  `CREATE TABLE "custom_field_names" ("stored_as" text NOT NULL, "key" text NOT NULL, "dropped_from" text array NOT NULL DEFAULT '{}', CONSTRAINT "pk_custom_field_names" PRIMARY KEY ("stored_as"))`,
  `CREATE INDEX "ix_custom_field_names_key" ON "custom_field_names"  ("key") `,
  `CREATE TABLE "custom_field_values" ("field_id" uuid NOT NULL, "resource" text NOT NULL, "digest" bytea NOT NULL, "record_id" uuid NOT NULL, CONSTRAINT "pk_custom_field_values" PRIMARY KEY ("field_id", "resource", "digest"))`,
  `ALTER TABLE "manufacturers" ADD "custom_fields" jsonb`,
  `ALTER TABLE "regions" ADD "custom_fields" jsonb`,
  `ALTER TABLE "tenant_groups" ADD "custom_fields" jsonb`,
  `ALTER TABLE "sites" ADD "custom_fields" jsonb`,
  `ALTER TABLE "locations" ADD "custom_fields" jsonb`,
  `ALTER TABLE "racks" ADD "custom_fields" jsonb`,
  `ALTER TABLE "power_feeds" ADD "custom_fields" jsonb`,
  `ALTER TABLE "cluster_types" ADD "custom_fields" jsonb`,
  `ALTER TABLE "clusters" ADD "custom_fields" jsonb`,
  `ALTER TABLE "platforms" ADD "custom_fields" jsonb`,
  `ALTER TABLE "virtual_machines" ADD "custom_fields" jsonb`,
  `ALTER TABLE "vlan_groups" ADD "custom_fields" jsonb`,
  `ALTER TABLE "vlans" ADD "custom_fields" jsonb`,
  `ALTER TABLE "vrfs" ADD "custom_fields" jsonb`,
  `ALTER TABLE "virtual_machine_interfaces" ADD "custom_fields" jsonb`,
  `ALTER TABLE "asset_categories" ADD "custom_fields" jsonb`,
  `ALTER TABLE "people" ADD "custom_fields" jsonb`,
  `ALTER TABLE "vendors" ADD "custom_fields" jsonb`,
  `ALTER TABLE "purchase_order_items" ADD "custom_fields" jsonb`,
  `ALTER TABLE "purchase_orders" ADD "custom_fields" jsonb`,
  `ALTER TABLE "assets" ADD "custom_fields" jsonb`,
  `ALTER TABLE "device_roles" ADD "custom_fields" jsonb`,
  `ALTER TABLE "device_types" ADD "custom_fields" jsonb`,
  `ALTER TABLE "devices" ADD "custom_fields" jsonb`,
  `ALTER TABLE "device_ports" ADD "custom_fields" jsonb`,
  `ALTER TABLE "ip_addresses" ADD "custom_fields" jsonb`,
  `ALTER TABLE "virtual_machine_addresses" ADD "custom_fields" jsonb`,
  `ALTER TABLE "contracts" ADD "custom_fields" jsonb`,
  `ALTER TABLE "circuits" ADD "custom_fields" jsonb`,
  `ALTER TABLE "circuit_terminations" ADD "custom_fields" jsonb`,
  `ALTER TABLE "device_port_vlans" ADD "custom_fields" jsonb`,
  `ALTER TABLE "device_type_modules" ADD "custom_fields" jsonb`,
  `ALTER TABLE "device_type_ports" ADD "custom_fields" jsonb`,
  `ALTER TABLE "prefixes" ADD "custom_fields" jsonb`,
  `ALTER TABLE "change_requests" ADD "custom_fields" jsonb`,
  `ALTER TABLE "software_licences" ADD "custom_fields" jsonb`,
  `ALTER TABLE "change_request_targets" ADD "custom_fields" jsonb`,
  `ALTER TABLE "incidents" ADD "custom_fields" jsonb`,
  `ALTER TABLE "maintenance_windows" ADD "custom_fields" jsonb`,
  `ALTER TABLE "known_issues" ADD "custom_fields" jsonb`,
  `ALTER TABLE "on_call_schedules" ADD "custom_fields" jsonb`,
  `ALTER TABLE "runbooks" ADD "custom_fields" jsonb`,
  `ALTER TABLE "incident_targets" ADD "custom_fields" jsonb`,
  `ALTER TABLE "incident_updates" ADD "custom_fields" jsonb`,
  `ALTER TABLE "maintenance_window_targets" ADD "custom_fields" jsonb`,
  `ALTER TABLE "asset_assignments" ADD "custom_fields" jsonb`,
  `ALTER TABLE "receipts" ADD "custom_fields" jsonb`,
  `ALTER TABLE "renewals" ADD "custom_fields" jsonb`,
  `ALTER TABLE "slas" ADD "custom_fields" jsonb`,
  `CREATE INDEX ix_on_call_schedules_custom_fields ON on_call_schedules USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_runbooks_custom_fields ON runbooks USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_known_issues_custom_fields ON known_issues USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_maintenance_windows_custom_fields ON maintenance_windows USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_maintenance_window_targets_custom_fields ON maintenance_window_targets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_change_requests_custom_fields ON change_requests USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_change_request_targets_custom_fields ON change_request_targets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_incidents_custom_fields ON incidents USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_incident_targets_custom_fields ON incident_targets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_incident_updates_custom_fields ON incident_updates USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_regions_custom_fields ON regions USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_sites_custom_fields ON sites USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_locations_custom_fields ON locations USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_racks_custom_fields ON racks USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_power_feeds_custom_fields ON power_feeds USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_device_types_custom_fields ON device_types USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_device_type_modules_custom_fields ON device_type_modules USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_device_type_ports_custom_fields ON device_type_ports USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_device_roles_custom_fields ON device_roles USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_platforms_custom_fields ON platforms USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_devices_custom_fields ON devices USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_device_ports_custom_fields ON device_ports USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_device_port_vlans_custom_fields ON device_port_vlans USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_vrfs_custom_fields ON vrfs USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_prefixes_custom_fields ON prefixes USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_ip_addresses_custom_fields ON ip_addresses USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_vlan_groups_custom_fields ON vlan_groups USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_vlans_custom_fields ON vlans USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_cluster_types_custom_fields ON cluster_types USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_clusters_custom_fields ON clusters USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_virtual_machines_custom_fields ON virtual_machines USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_virtual_machine_interfaces_custom_fields ON virtual_machine_interfaces USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_virtual_machine_addresses_custom_fields ON virtual_machine_addresses USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_circuits_custom_fields ON circuits USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_circuit_terminations_custom_fields ON circuit_terminations USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_assets_custom_fields ON assets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_asset_categories_custom_fields ON asset_categories USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_manufacturers_custom_fields ON manufacturers USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_vendors_custom_fields ON vendors USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_purchase_orders_custom_fields ON purchase_orders USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_contracts_custom_fields ON contracts USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_slas_custom_fields ON slas USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_software_licences_custom_fields ON software_licences USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_renewals_custom_fields ON renewals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_asset_assignments_custom_fields ON asset_assignments USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_purchase_order_items_custom_fields ON purchase_order_items USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_receipts_custom_fields ON receipts USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_people_custom_fields ON people USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `CREATE INDEX ix_tenant_groups_custom_fields ON tenant_groups USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `SELECT log_records('custom_fields', '', 'key', '{}', '{}', 't')`,
  `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_custom_fields_search ON custom_fields USING gin (key gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching custom_fields will read all of it';
END
$$`,
  `CREATE INDEX ix_custom_fields_key_order ON custom_fields (key COLLATE "C", id)`,
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- Clears the custom fields that refer to deleted records. Each is an ordinary change of its record. The argument is the resource of
-- the deleted ones.
CREATE OR REPLACE FUNCTION clear_custom_references() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  referrer record;
BEGIN
  FOR referrer IN SELECT d.stored_as, replace(owner, '-', '_') AS table_name FROM custom_fields d, unnest(d.resources) owner
      WHERE d.type = 'reference' AND d.target = TG_ARGV[0] LOOP
    EXECUTE format('UPDATE %I t SET custom_fields = t.custom_fields - %L FROM changed
      WHERE t.custom_fields @> jsonb_build_object(%L, changed.id)', referrer.table_name, referrer.stored_as, referrer.stored_as);
  END LOOP;
  RETURN NULL;
END
$$;`,
  `-- The custom values of one side of an entry of the change log, named as the API names them: those that differ from the other side, or
-- all where there is no other.
CREATE OR REPLACE FUNCTION custom_entry(shown jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg('customFields.' || split_part(key, '#', 1), coalesce(shown->key, 'null')), '{}')
  FROM jsonb_object_keys(coalesce(nullif(other, 'null'), '{}') || coalesce(nullif(shown, 'null'), '{}')) key
  WHERE shown->key IS DISTINCT FROM other->key
$$;`,
  `-- A value of a custom field as the values of a unique one are compared: decimals as numbers, all others exactly. A text may be longer
-- than an index can hold.
CREATE OR REPLACE FUNCTION custom_field_digest(type text, value jsonb) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(convert_to(CASE WHEN type = 'decimal' THEN trim_scale((value #>> '{}')::numeric)::text ELSE value #>> '{}' END, 'UTF8'))
$$;`,
  `-- Why a value cannot be one of a custom field, as the end of a sentence; null if it can. A value is the JSON that the API shows.
-- Decimals and times are strings of one form, so times are compared as texts.
CREATE OR REPLACE FUNCTION custom_field_fault(field custom_fields, value jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  plain constant text := value #>> '{}';
  kind constant text := jsonb_typeof(value);
  expected constant text := CASE WHEN field.type IN ('integer') THEN 'number' WHEN field.type = 'boolean' THEN 'boolean'
    WHEN field.type = 'tags' THEN 'array' ELSE 'string' END;
  least_value constant text := field.minimum #>> '{}';
  greatest_value constant text := field.maximum #>> '{}';
  day constant text := '(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))'
    || '|(?:\\d{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29)';
BEGIN
  IF kind <> expected THEN RETURN 'has a value of the wrong type'; END IF;
  CASE field.type
    WHEN 'integer' THEN
      IF plain::numeric <> trunc(plain::numeric) OR plain::numeric NOT BETWEEN -2147483648 AND 2147483647 THEN
        RETURN 'must be a 32-bit integer';
      END IF;
    WHEN 'decimal' THEN
      IF plain !~ '^-?(?:0|[1-9]\\d{0,19})(?:\\.\\d{1,10})?$' OR plain ~ '^-0(?:\\.0+)?$' THEN
        RETURN 'must be a decimal number';
      END IF;
    WHEN 'date' THEN
      IF plain !~ ('^' || day || '$') OR plain LIKE '0000%' THEN RETURN 'must be a date'; END IF;
    WHEN 'dateTime' THEN
      IF plain !~ ('^' || day || 'T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$') OR plain LIKE '0000%' THEN
        RETURN 'must be an instant in UTC with milliseconds';
      END IF;
    WHEN 'url' THEN
      IF plain !~* '^https?://[^\\s/?#]' THEN RETURN 'must be an absolute http or https address'; END IF;
    WHEN 'reference' THEN
      IF plain !~ '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN RETURN 'must be a uuid'; END IF;
    WHEN 'choice' THEN
      IF plain <> ALL(field.choices) THEN RETURN 'must be one of ' || array_to_string(field.choices, ', '); END IF;
    WHEN 'tags' THEN
      IF EXISTS (SELECT FROM jsonb_array_elements(value) tag WHERE jsonb_typeof(tag) <> 'string' OR char_length(tag #>> '{}') NOT BETWEEN 1 AND 255) THEN
        RETURN 'must be tags of 1 to 255 characters';
      END IF;
      IF jsonb_array_length(value) > 1000 THEN RETURN 'must have at most 1000 entries'; END IF;
      IF value <> (SELECT jsonb_agg(tag ORDER BY tag COLLATE "C") FROM (SELECT DISTINCT tag FROM jsonb_array_elements_text(value) tag) tags) THEN
        RETURN 'must be tags in order, each of them once';
      END IF;
      IF field.choices IS NOT NULL AND NOT value <@ to_jsonb(field.choices) THEN
        RETURN 'must have entries of ' || array_to_string(field.choices, ', ');
      END IF;
    ELSE NULL;
  END CASE;
  IF kind = 'string' AND char_length(plain) > 65536 THEN RETURN 'must be at most 65536 characters long'; END IF;
  IF field.pattern_sql IS NOT NULL AND plain !~ field.pattern_sql THEN RETURN 'must match ' || field.pattern; END IF;
  IF field.type IN ('integer', 'decimal') AND (plain::numeric < least_value::numeric OR plain::numeric > greatest_value::numeric)
    OR field.type IN ('date', 'dateTime') AND (plain < least_value COLLATE "C" OR plain > greatest_value COLLATE "C") THEN
    RETURN CASE WHEN least_value IS NULL THEN 'must be at most ' || greatest_value WHEN greatest_value IS NULL THEN 'must be at least ' || least_value
      ELSE 'must be between ' || least_value || ' and ' || greatest_value END;
  END IF;
  RETURN NULL;
END
$$;`,
  `-- Tells every process that the definitions have changed.
CREATE OR REPLACE FUNCTION custom_fields_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('custom_fields', '');
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER custom_fields_notify AFTER INSERT OR UPDATE OR DELETE ON custom_fields FOR EACH STATEMENT
  EXECUTE FUNCTION custom_fields_changed();`,
  `-- The values of a deleted record are free again where they must be unique. The argument is the resource of the table.
CREATE OR REPLACE FUNCTION free_custom_values() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM custom_field_values v USING custom_fields d
    WHERE d.is_unique AND OLD.custom_fields ? d.stored_as AND v.field_id = d.id AND v.resource = TG_ARGV[0]
      AND v.digest = custom_field_digest(d.type, OLD.custom_fields->d.stored_as) AND v.record_id = OLD.id;
  RETURN NULL;
END
$$;`,
  `-- Holds the rules of custom fields on the values of a record, whatever writes it. A new record gets the defaults. Nulls and empty
-- lists are no values. A value of a field that is gone falls, with no entry in the log.
--
-- Who changes a definition takes the lock of the table alone. A write that has it sees every definition that is committed, because
-- each statement has a snapshot of its own; a transaction with one snapshot fails if a definition has changed since. The argument is
-- the resource of the table.
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
  IF TG_OP = 'INSERT' AND NEW.custom_fields IS NULL
    AND NOT EXISTS (SELECT FROM custom_fields d WHERE owner = ANY(d.resources) AND (d.required OR d.default_value IS NOT NULL)) THEN
    RETURN NEW;
  END IF;
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
    IF field.type = 'reference' AND given ? field.stored_as THEN
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
$$;`,
  `-- The custom values of a record whose fields still exist; null if there are none.
CREATE OR REPLACE FUNCTION live_custom_fields(owner text, stored jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_object_agg(v.key, v.value) FROM jsonb_each(stored) v
  WHERE EXISTS (SELECT FROM custom_fields d WHERE d.stored_as = v.key AND owner = ANY(d.resources))
$$;`,
  `-- Makes a table one of records, whose changes are logged and counted from now on: a trigger for each of insert, update and
-- delete, and one for TRUNCATE, which no request runs; and those of custom fields. May be repeated.
--
-- \`area\` is that of the resource, \`name\` the column that names a record, \`secrets\` are columns whose values are withheld,
-- \`counted\` those whose values are counted. \`listed\` says whether the resource has a list of its own, with a total.
CREATE OR REPLACE FUNCTION log_records(records regclass, area text, name text, secrets text[], counted text[], listed boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  plain constant text := (SELECT relname FROM pg_class WHERE oid = records);
  arguments constant text := format('%L, %L, %L, %L, %L', coalesce(area, ''), name, secrets, counted, listed);
  counted_column text;
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER INSERT ON %s REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_rows(%s)', plain || '_insert', records, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE UPDATE ON %s
    FOR EACH ROW WHEN (OLD *<> NEW) EXECUTE FUNCTION log_update(%s)', plain || '_update', records, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER DELETE ON %s REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_rows(%s)', plain || '_delete', records, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE TRUNCATE ON %s
    FOR EACH STATEMENT EXECUTE FUNCTION log_truncate(%s)', plain || '_truncate', records, arguments);

  -- Records of the families have custom fields.
  IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = records AND attname = 'custom_fields' AND NOT attisdropped) THEN
    EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE INSERT ON %s
      FOR EACH ROW EXECUTE FUNCTION hold_custom_fields(%L)', plain || '_custom_new', records, replace(plain, '_', '-'));
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
$$;`,
  `-- Logs the records that a statement created or deleted, and adds them to the kept counts, in one statement. The arguments
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

-- Revoked from everybody: a role with EXECUTE could forge log entries, with a trigger of its own.
REVOKE ALL ON FUNCTION log_rows() FROM PUBLIC;`,
  `-- Logs the change of a record, keeps the counts of its values, and sets updated_at to the time of the entry. It is the
-- last of the triggers before an update, after those that change the record, because triggers run in the order of their
-- names. The arguments are those of log_records. With the rights of the owner: nobody else can write the change log.
--
-- Texts are compared, because to jsonb 1200 and 1200.00 are equal. When a token was last used is no change of it. A
-- statement that sets updated_at by itself says that parts of the record have changed.
CREATE OR REPLACE FUNCTION log_update() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  at constant timestamptz(3) := change_time(OLD.updated_at);
  before jsonb := to_jsonb(OLD);
  after constant jsonb := to_jsonb(NEW);
  secrets constant text[] := TG_ARGV[2];
  counted constant text[] := TG_ARGV[3];
  changed jsonb;
BEGIN
  IF NEW.id <> OLD.id THEN
    RAISE EXCEPTION 'The id of a record never changes' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- The value of a custom field that is gone falls with the next write, and is no change of the record.
  IF jsonb_typeof(before->'custom_fields') = 'object' THEN
    before := before || jsonb_build_object('custom_fields', live_custom_fields(replace(TG_TABLE_NAME, '_', '-'), before->'custom_fields'));
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

-- Revoked from everybody: a role with EXECUTE could forge log entries, with a trigger of its own.
REVOKE ALL ON FUNCTION log_update() FROM PUBLIC;`,
  `-- The custom values of a record after a change of some of them, of which null removes one; null if none are left.
CREATE OR REPLACE FUNCTION merge_custom_fields(stored jsonb, given jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT nullif(jsonb_strip_nulls(coalesce(stored, '{}') || given), '{}')
$$;`,
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

CREATE OR REPLACE TRIGGER custom_fields_name BEFORE INSERT ON custom_fields FOR EACH ROW EXECUTE FUNCTION name_custom_field();`,
  `-- The records of the families have their triggers too, with the arguments that those of the change log have.
SELECT log_records(c.oid, given[1], given[2], given[3]::text[], given[4]::text[], given[5]::boolean)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'custom_fields' AND NOT a.attisdropped
  JOIN pg_trigger t ON t.tgrelid = c.oid AND t.tgname = c.relname || '_insert',
  string_to_array(replace(encode(t.tgargs, 'escape'), '\\000', chr(10)), chr(10)) given
WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`,
];

const down = [
  `DO $$
DECLARE
  held record;
BEGIN
  FOR held IN SELECT t.tgname, c.oid::regclass AS records FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE t.tgname IN (c.relname || '_custom_new', c.relname || '_custom_changed', c.relname || '_custom_freed', c.relname || '_custom_cleared') LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', held.tgname, held.records);
  END LOOP;
END
$$`,
  `DROP FUNCTION clear_custom_references()`,
  `DROP FUNCTION custom_entry(jsonb,jsonb)`,
  `DROP FUNCTION custom_field_digest(text,jsonb)`,
  `DROP FUNCTION custom_field_fault(custom_fields,jsonb)`,
  `DROP TRIGGER custom_fields_notify ON custom_fields`,
  `DROP FUNCTION custom_fields_changed()`,
  `DROP FUNCTION free_custom_values()`,
  `DROP FUNCTION hold_custom_fields()`,
  `DROP FUNCTION live_custom_fields(text,jsonb)`,
  `CREATE OR REPLACE FUNCTION public.log_records(records regclass, area text, name text, secrets text[], counted text[], listed boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  plain constant text := (SELECT relname FROM pg_class WHERE oid = records);
  arguments constant text := format('%L, %L, %L, %L, %L', coalesce(area, ''), name, secrets, counted, listed);
  counted_column text;
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER INSERT ON %s REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_rows(%s)', plain || '_insert', records, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE UPDATE ON %s
    FOR EACH ROW WHEN (OLD *<> NEW) EXECUTE FUNCTION log_update(%s)', plain || '_update', records, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER DELETE ON %s REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_rows(%s)', plain || '_delete', records, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE TRUNCATE ON %s
    FOR EACH STATEMENT EXECUTE FUNCTION log_truncate(%s)', plain || '_truncate', records, arguments);

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
$function$
`,
  `CREATE OR REPLACE FUNCTION public.log_rows()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
`,
  `CREATE OR REPLACE FUNCTION public.log_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$
`,
  `DROP FUNCTION merge_custom_fields(jsonb,jsonb)`,
  `DROP TRIGGER custom_fields_name ON custom_fields`,
  `DROP FUNCTION name_custom_field()`,
  `DELETE FROM record_counts WHERE table_name = 'custom_fields'`,
  `DELETE FROM value_counts WHERE table_name = 'custom_fields'`,
  `DROP INDEX IF EXISTS ix_tenant_groups_custom_fields`,
  `DROP INDEX IF EXISTS ix_people_custom_fields`,
  `DROP INDEX IF EXISTS ix_receipts_custom_fields`,
  `DROP INDEX IF EXISTS ix_purchase_order_items_custom_fields`,
  `DROP INDEX IF EXISTS ix_asset_assignments_custom_fields`,
  `DROP INDEX IF EXISTS ix_renewals_custom_fields`,
  `DROP INDEX IF EXISTS ix_software_licences_custom_fields`,
  `DROP INDEX IF EXISTS ix_slas_custom_fields`,
  `DROP INDEX IF EXISTS ix_contracts_custom_fields`,
  `DROP INDEX IF EXISTS ix_purchase_orders_custom_fields`,
  `DROP INDEX IF EXISTS ix_vendors_custom_fields`,
  `DROP INDEX IF EXISTS ix_manufacturers_custom_fields`,
  `DROP INDEX IF EXISTS ix_asset_categories_custom_fields`,
  `DROP INDEX IF EXISTS ix_assets_custom_fields`,
  `DROP INDEX IF EXISTS ix_circuit_terminations_custom_fields`,
  `DROP INDEX IF EXISTS ix_circuits_custom_fields`,
  `DROP INDEX IF EXISTS ix_virtual_machine_addresses_custom_fields`,
  `DROP INDEX IF EXISTS ix_virtual_machine_interfaces_custom_fields`,
  `DROP INDEX IF EXISTS ix_virtual_machines_custom_fields`,
  `DROP INDEX IF EXISTS ix_clusters_custom_fields`,
  `DROP INDEX IF EXISTS ix_cluster_types_custom_fields`,
  `DROP INDEX IF EXISTS ix_vlans_custom_fields`,
  `DROP INDEX IF EXISTS ix_vlan_groups_custom_fields`,
  `DROP INDEX IF EXISTS ix_ip_addresses_custom_fields`,
  `DROP INDEX IF EXISTS ix_prefixes_custom_fields`,
  `DROP INDEX IF EXISTS ix_vrfs_custom_fields`,
  `DROP INDEX IF EXISTS ix_device_port_vlans_custom_fields`,
  `DROP INDEX IF EXISTS ix_device_ports_custom_fields`,
  `DROP INDEX IF EXISTS ix_devices_custom_fields`,
  `DROP INDEX IF EXISTS ix_platforms_custom_fields`,
  `DROP INDEX IF EXISTS ix_device_roles_custom_fields`,
  `DROP INDEX IF EXISTS ix_device_type_ports_custom_fields`,
  `DROP INDEX IF EXISTS ix_device_type_modules_custom_fields`,
  `DROP INDEX IF EXISTS ix_device_types_custom_fields`,
  `DROP INDEX IF EXISTS ix_power_feeds_custom_fields`,
  `DROP INDEX IF EXISTS ix_racks_custom_fields`,
  `DROP INDEX IF EXISTS ix_locations_custom_fields`,
  `DROP INDEX IF EXISTS ix_sites_custom_fields`,
  `DROP INDEX IF EXISTS ix_regions_custom_fields`,
  `DROP INDEX IF EXISTS ix_incident_updates_custom_fields`,
  `DROP INDEX IF EXISTS ix_incident_targets_custom_fields`,
  `DROP INDEX IF EXISTS ix_incidents_custom_fields`,
  `DROP INDEX IF EXISTS ix_change_request_targets_custom_fields`,
  `DROP INDEX IF EXISTS ix_change_requests_custom_fields`,
  `DROP INDEX IF EXISTS ix_maintenance_window_targets_custom_fields`,
  `DROP INDEX IF EXISTS ix_maintenance_windows_custom_fields`,
  `DROP INDEX IF EXISTS ix_known_issues_custom_fields`,
  `DROP INDEX IF EXISTS ix_runbooks_custom_fields`,
  `DROP INDEX IF EXISTS ix_on_call_schedules_custom_fields`,
  `ALTER TABLE "slas" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "renewals" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "receipts" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "asset_assignments" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "maintenance_window_targets" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "incident_updates" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "incident_targets" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "runbooks" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "on_call_schedules" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "known_issues" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "maintenance_windows" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "incidents" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "change_request_targets" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "software_licences" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "change_requests" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "prefixes" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "device_type_ports" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "device_type_modules" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "device_port_vlans" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "circuit_terminations" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "circuits" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "contracts" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "virtual_machine_addresses" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "ip_addresses" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "device_ports" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "devices" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "device_types" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "device_roles" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "assets" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "purchase_orders" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "purchase_order_items" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "vendors" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "people" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "asset_categories" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "virtual_machine_interfaces" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "vrfs" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "vlans" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "vlan_groups" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "virtual_machines" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "platforms" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "clusters" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "cluster_types" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "power_feeds" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "racks" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "locations" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "sites" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "tenant_groups" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "regions" DROP COLUMN "custom_fields"`,
  `ALTER TABLE "manufacturers" DROP COLUMN "custom_fields"`,
  `DROP TABLE "custom_field_values"`,
  `DROP INDEX "public"."ix_custom_field_names_key"`,
  `DROP TABLE "custom_field_names"`,
  `DROP INDEX "public"."ix_custom_fields_stored_as"`,
  `DROP INDEX "public"."ix_custom_fields_created_at_id"`,
  `DROP TABLE "custom_fields"`,
];

export class CustomFields1795700000024 implements MigrationInterface {
  readonly name = 'CustomFields1795700000024';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
