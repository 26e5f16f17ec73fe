import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `CREATE TABLE "known_issue_targets" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "resource" character varying(32) NOT NULL, "record_id" uuid NOT NULL, "site_id" uuid, "location_id" uuid, "rack_id" uuid, "device_id" uuid, "cluster_id" uuid, "virtual_machine_id" uuid, "ip_address_id" uuid, "asset_id" uuid, "software_licence_id" uuid, "region_id" uuid, "circuit_id" uuid, "power_feed_id" uuid, "device_type_id" uuid, "device_role_id" uuid, "platform_id" uuid, "manufacturer_id" uuid, "known_issue_id" uuid NOT NULL, "custom_fields" jsonb, CONSTRAINT "ck_resource" CHECK ("resource" IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences', 'regions', 'circuits', 'power-feeds', 'device-types', 'device-roles', 'platforms', 'manufacturers')), CONSTRAINT "pk_known_issue_targets" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_known_issue_targets_created_at_id" ON "known_issue_targets"  ("created_at", "id") `,
  `CREATE INDEX "ix_known_issue_targets_site_id" ON "known_issue_targets"  ("site_id") `,
  `CREATE INDEX "ix_known_issue_targets_location_id" ON "known_issue_targets"  ("location_id") `,
  `CREATE INDEX "ix_known_issue_targets_rack_id" ON "known_issue_targets"  ("rack_id") `,
  `CREATE INDEX "ix_known_issue_targets_device_id" ON "known_issue_targets"  ("device_id") `,
  `CREATE INDEX "ix_known_issue_targets_cluster_id" ON "known_issue_targets"  ("cluster_id") `,
  `CREATE INDEX "ix_known_issue_targets_virtual_machine_id" ON "known_issue_targets"  ("virtual_machine_id") `,
  `CREATE INDEX "ix_known_issue_targets_ip_address_id" ON "known_issue_targets"  ("ip_address_id") `,
  `CREATE INDEX "ix_known_issue_targets_asset_id" ON "known_issue_targets"  ("asset_id") `,
  `CREATE INDEX "ix_known_issue_targets_software_licence_id" ON "known_issue_targets"  ("software_licence_id") `,
  `CREATE INDEX "ix_known_issue_targets_region_id" ON "known_issue_targets"  ("region_id") `,
  `CREATE INDEX "ix_known_issue_targets_circuit_id" ON "known_issue_targets"  ("circuit_id") `,
  `CREATE INDEX "ix_known_issue_targets_power_feed_id" ON "known_issue_targets"  ("power_feed_id") `,
  `CREATE INDEX "ix_known_issue_targets_device_type_id" ON "known_issue_targets"  ("device_type_id") `,
  `CREATE INDEX "ix_known_issue_targets_device_role_id" ON "known_issue_targets"  ("device_role_id") `,
  `CREATE INDEX "ix_known_issue_targets_platform_id" ON "known_issue_targets"  ("platform_id") `,
  `CREATE INDEX "ix_known_issue_targets_manufacturer_id" ON "known_issue_targets"  ("manufacturer_id") `,
  `CREATE INDEX "ix_known_issue_targets_record_id" ON "known_issue_targets"  ("record_id") `,
  `CREATE UNIQUE INDEX "uq_known_issue_targets_record" ON "known_issue_targets"  ("known_issue_id", "resource", "record_id") `,
  `CREATE TABLE "runbook_targets" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "resource" character varying(32) NOT NULL, "record_id" uuid NOT NULL, "site_id" uuid, "location_id" uuid, "rack_id" uuid, "device_id" uuid, "cluster_id" uuid, "virtual_machine_id" uuid, "ip_address_id" uuid, "asset_id" uuid, "software_licence_id" uuid, "region_id" uuid, "circuit_id" uuid, "power_feed_id" uuid, "device_type_id" uuid, "device_role_id" uuid, "platform_id" uuid, "manufacturer_id" uuid, "runbook_id" uuid NOT NULL, "custom_fields" jsonb, CONSTRAINT "ck_resource" CHECK ("resource" IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences', 'regions', 'circuits', 'power-feeds', 'device-types', 'device-roles', 'platforms', 'manufacturers')), CONSTRAINT "pk_runbook_targets" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_runbook_targets_created_at_id" ON "runbook_targets"  ("created_at", "id") `,
  `CREATE INDEX "ix_runbook_targets_site_id" ON "runbook_targets"  ("site_id") `,
  `CREATE INDEX "ix_runbook_targets_location_id" ON "runbook_targets"  ("location_id") `,
  `CREATE INDEX "ix_runbook_targets_rack_id" ON "runbook_targets"  ("rack_id") `,
  `CREATE INDEX "ix_runbook_targets_device_id" ON "runbook_targets"  ("device_id") `,
  `CREATE INDEX "ix_runbook_targets_cluster_id" ON "runbook_targets"  ("cluster_id") `,
  `CREATE INDEX "ix_runbook_targets_virtual_machine_id" ON "runbook_targets"  ("virtual_machine_id") `,
  `CREATE INDEX "ix_runbook_targets_ip_address_id" ON "runbook_targets"  ("ip_address_id") `,
  `CREATE INDEX "ix_runbook_targets_asset_id" ON "runbook_targets"  ("asset_id") `,
  `CREATE INDEX "ix_runbook_targets_software_licence_id" ON "runbook_targets"  ("software_licence_id") `,
  `CREATE INDEX "ix_runbook_targets_region_id" ON "runbook_targets"  ("region_id") `,
  `CREATE INDEX "ix_runbook_targets_circuit_id" ON "runbook_targets"  ("circuit_id") `,
  `CREATE INDEX "ix_runbook_targets_power_feed_id" ON "runbook_targets"  ("power_feed_id") `,
  `CREATE INDEX "ix_runbook_targets_device_type_id" ON "runbook_targets"  ("device_type_id") `,
  `CREATE INDEX "ix_runbook_targets_device_role_id" ON "runbook_targets"  ("device_role_id") `,
  `CREATE INDEX "ix_runbook_targets_platform_id" ON "runbook_targets"  ("platform_id") `,
  `CREATE INDEX "ix_runbook_targets_manufacturer_id" ON "runbook_targets"  ("manufacturer_id") `,
  `CREATE INDEX "ix_runbook_targets_record_id" ON "runbook_targets"  ("record_id") `,
  `CREATE UNIQUE INDEX "uq_runbook_targets_record" ON "runbook_targets"  ("runbook_id", "resource", "record_id") `,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_location_id" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_rack_id" FOREIGN KEY ("rack_id") REFERENCES "racks"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_device_id" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_cluster_id" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_virtual_machine_id" FOREIGN KEY ("virtual_machine_id") REFERENCES "virtual_machines"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_ip_address_id" FOREIGN KEY ("ip_address_id") REFERENCES "ip_addresses"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_asset_id" FOREIGN KEY ("asset_id") REFERENCES "assets"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_software_licence_id" FOREIGN KEY ("software_licence_id") REFERENCES "software_licences"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_region_id" FOREIGN KEY ("region_id") REFERENCES "regions"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_circuit_id" FOREIGN KEY ("circuit_id") REFERENCES "circuits"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_power_feed_id" FOREIGN KEY ("power_feed_id") REFERENCES "power_feeds"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_device_type_id" FOREIGN KEY ("device_type_id") REFERENCES "device_types"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_device_role_id" FOREIGN KEY ("device_role_id") REFERENCES "device_roles"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_platform_id" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_manufacturer_id" FOREIGN KEY ("manufacturer_id") REFERENCES "manufacturers"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "known_issue_targets" ADD CONSTRAINT "fk_known_issue_targets_known_issue_id" FOREIGN KEY ("known_issue_id") REFERENCES "known_issues"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_location_id" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_rack_id" FOREIGN KEY ("rack_id") REFERENCES "racks"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_device_id" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_cluster_id" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_virtual_machine_id" FOREIGN KEY ("virtual_machine_id") REFERENCES "virtual_machines"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_ip_address_id" FOREIGN KEY ("ip_address_id") REFERENCES "ip_addresses"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_asset_id" FOREIGN KEY ("asset_id") REFERENCES "assets"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_software_licence_id" FOREIGN KEY ("software_licence_id") REFERENCES "software_licences"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_region_id" FOREIGN KEY ("region_id") REFERENCES "regions"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_circuit_id" FOREIGN KEY ("circuit_id") REFERENCES "circuits"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_power_feed_id" FOREIGN KEY ("power_feed_id") REFERENCES "power_feeds"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_device_type_id" FOREIGN KEY ("device_type_id") REFERENCES "device_types"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_device_role_id" FOREIGN KEY ("device_role_id") REFERENCES "device_roles"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_platform_id" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_manufacturer_id" FOREIGN KEY ("manufacturer_id") REFERENCES "manufacturers"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "runbook_targets" ADD CONSTRAINT "fk_runbook_targets_runbook_id" FOREIGN KEY ("runbook_id") REFERENCES "runbooks"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `SELECT log_records('runbook_targets', 'operations', 'name', '{}', '{}', 'f')`,
  `CREATE INDEX ix_runbook_targets_custom_fields ON runbook_targets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `SELECT log_records('known_issue_targets', 'operations', 'name', '{}', '{}', 'f')`,
  `CREATE INDEX ix_known_issue_targets_custom_fields ON known_issue_targets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
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
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER contract_coverage_point BEFORE INSERT OR UPDATE ON contract_coverage FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER sla_coverage_point BEFORE INSERT OR UPDATE ON sla_coverage FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER known_issue_targets_point BEFORE INSERT OR UPDATE ON known_issue_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER runbook_targets_point BEFORE INSERT OR UPDATE ON runbook_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();`,
];

const down = [
  `DROP TRIGGER runbook_targets_point ON runbook_targets`,
  `DROP TRIGGER known_issue_targets_point ON known_issue_targets`,
  `DELETE FROM record_counts WHERE table_name = 'known_issue_targets'`,
  `DELETE FROM value_counts WHERE table_name = 'known_issue_targets'`,
  `DELETE FROM record_counts WHERE table_name = 'runbook_targets'`,
  `DELETE FROM value_counts WHERE table_name = 'runbook_targets'`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_runbook_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_manufacturer_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_platform_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_device_role_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_device_type_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_power_feed_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_circuit_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_region_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_software_licence_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_asset_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_ip_address_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_virtual_machine_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_cluster_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_device_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_rack_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_location_id"`,
  `ALTER TABLE "runbook_targets" DROP CONSTRAINT "fk_runbook_targets_site_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_known_issue_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_manufacturer_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_platform_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_device_role_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_device_type_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_power_feed_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_circuit_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_region_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_software_licence_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_asset_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_ip_address_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_virtual_machine_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_cluster_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_device_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_rack_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_location_id"`,
  `ALTER TABLE "known_issue_targets" DROP CONSTRAINT "fk_known_issue_targets_site_id"`,
  `DROP INDEX "public"."uq_runbook_targets_record"`,
  `DROP INDEX "public"."ix_runbook_targets_record_id"`,
  `DROP INDEX "public"."ix_runbook_targets_manufacturer_id"`,
  `DROP INDEX "public"."ix_runbook_targets_platform_id"`,
  `DROP INDEX "public"."ix_runbook_targets_device_role_id"`,
  `DROP INDEX "public"."ix_runbook_targets_device_type_id"`,
  `DROP INDEX "public"."ix_runbook_targets_power_feed_id"`,
  `DROP INDEX "public"."ix_runbook_targets_circuit_id"`,
  `DROP INDEX "public"."ix_runbook_targets_region_id"`,
  `DROP INDEX "public"."ix_runbook_targets_software_licence_id"`,
  `DROP INDEX "public"."ix_runbook_targets_asset_id"`,
  `DROP INDEX "public"."ix_runbook_targets_ip_address_id"`,
  `DROP INDEX "public"."ix_runbook_targets_virtual_machine_id"`,
  `DROP INDEX "public"."ix_runbook_targets_cluster_id"`,
  `DROP INDEX "public"."ix_runbook_targets_device_id"`,
  `DROP INDEX "public"."ix_runbook_targets_rack_id"`,
  `DROP INDEX "public"."ix_runbook_targets_location_id"`,
  `DROP INDEX "public"."ix_runbook_targets_site_id"`,
  `DROP INDEX "public"."ix_runbook_targets_created_at_id"`,
  `DROP TABLE "runbook_targets"`,
  `DROP INDEX "public"."uq_known_issue_targets_record"`,
  `DROP INDEX "public"."ix_known_issue_targets_record_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_manufacturer_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_platform_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_device_role_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_device_type_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_power_feed_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_circuit_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_region_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_software_licence_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_asset_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_ip_address_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_virtual_machine_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_cluster_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_device_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_rack_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_location_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_site_id"`,
  `DROP INDEX "public"."ix_known_issue_targets_created_at_id"`,
  `DROP TABLE "known_issue_targets"`,
];

export class RunbookTargets1795700000033 implements MigrationInterface {
  readonly name = 'RunbookTargets1795700000033';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
