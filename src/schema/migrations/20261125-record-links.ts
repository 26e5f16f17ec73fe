import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- A link names a record of one of several tables. The column of its table has a foreign key, which ends with the record.
CREATE OR REPLACE FUNCTION point_target() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  pointers jsonb := '{}';
BEGIN
  IF TG_OP = 'UPDATE' THEN pointers := jsonb_build_object(target_column(OLD.resource), NULL); END IF;
  RETURN jsonb_populate_record(NEW, pointers || jsonb_build_object(target_column(NEW.resource), NEW.record_id));
END
$$;

CREATE OR REPLACE TRIGGER change_request_targets_point BEFORE INSERT OR UPDATE ON change_request_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER incident_targets_point BEFORE INSERT OR UPDATE ON incident_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER maintenance_window_targets_point BEFORE INSERT OR UPDATE ON maintenance_window_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();`,
  `-- The column of a link that refers to records of a resource, whose name is that of the resource in the singular: \`virtual_machine_id\` of
-- \`virtual-machines\`.
CREATE OR REPLACE FUNCTION target_column(resource text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT translate(regexp_replace(resource, '(?<=ss)es$|s$', ''), '-', '_') || '_id'
$$;`,
];

const down = [
  `CREATE OR REPLACE FUNCTION public.point_target()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.site_id := CASE WHEN NEW.resource = 'sites' THEN NEW.record_id END;
  NEW.region_id := CASE WHEN NEW.resource = 'regions' THEN NEW.record_id END;
  NEW.circuit_id := CASE WHEN NEW.resource = 'circuits' THEN NEW.record_id END;
  NEW.power_feed_id := CASE WHEN NEW.resource = 'power-feeds' THEN NEW.record_id END;
  NEW.location_id := CASE WHEN NEW.resource = 'locations' THEN NEW.record_id END;
  NEW.rack_id := CASE WHEN NEW.resource = 'racks' THEN NEW.record_id END;
  NEW.device_id := CASE WHEN NEW.resource = 'devices' THEN NEW.record_id END;
  NEW.cluster_id := CASE WHEN NEW.resource = 'clusters' THEN NEW.record_id END;
  NEW.virtual_machine_id := CASE WHEN NEW.resource = 'virtual-machines' THEN NEW.record_id END;
  NEW.ip_address_id := CASE WHEN NEW.resource = 'ip-addresses' THEN NEW.record_id END;
  NEW.asset_id := CASE WHEN NEW.resource = 'assets' THEN NEW.record_id END;
  NEW.software_licence_id := CASE WHEN NEW.resource = 'software-licences' THEN NEW.record_id END;
  RETURN NEW;
END
$function$
`,
  `DROP FUNCTION target_column(text)`,
];

export class RecordLinks1795700000029 implements MigrationInterface {
  readonly name = 'RecordLinks1795700000029';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
