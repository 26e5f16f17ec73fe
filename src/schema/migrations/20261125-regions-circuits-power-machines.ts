import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `CREATE TABLE "regions" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "name" character varying(255) NOT NULL, "slug" character varying(255), "parent_id" uuid, "description" text, CONSTRAINT "pk_regions" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_regions_created_at_id" ON "regions"  ("created_at", "id") `,
  `CREATE INDEX "ix_regions_parent_id" ON "regions"  ("parent_id") `,
  `CREATE TABLE "power_feeds" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "name" character varying(255) NOT NULL, "site_id" uuid, "rack_id" uuid, "panel" character varying(255), "status" character varying(255) NOT NULL DEFAULT 'active', "type" character varying(32) NOT NULL DEFAULT 'primary', "supply" character varying(32) NOT NULL DEFAULT 'ac', "phase" character varying(32) NOT NULL DEFAULT 'single', "voltage_v" double precision, "amperage_a" double precision, "maximum_utilisation" integer NOT NULL DEFAULT '80', "tenant_group_id" uuid, "description" text, CONSTRAINT "ck_type" CHECK ("type" IN ('primary', 'redundant')), CONSTRAINT "ck_supply" CHECK ("supply" IN ('ac', 'dc')), CONSTRAINT "ck_phase" CHECK ("phase" IN ('single', 'three')), CONSTRAINT "ck_voltage_v" CHECK ("voltage_v" >= -1000000 AND "voltage_v" <= 1000000), CONSTRAINT "ck_amperage_a" CHECK ("amperage_a" >= 0 AND "amperage_a" <= 1000000), CONSTRAINT "ck_maximum_utilisation" CHECK ("maximum_utilisation" >= 1 AND "maximum_utilisation" <= 100), CONSTRAINT "pk_power_feeds" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_power_feeds_created_at_id" ON "power_feeds"  ("created_at", "id") `,
  `CREATE INDEX "ix_power_feeds_site_id" ON "power_feeds"  ("site_id") `,
  `CREATE INDEX "ix_power_feeds_rack_id" ON "power_feeds"  ("rack_id") `,
  `CREATE INDEX "ix_power_feeds_tenant_group_id" ON "power_feeds"  ("tenant_group_id") `,
  `CREATE TABLE "virtual_machine_interfaces" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "virtual_machine_id" uuid NOT NULL, "name" character varying(255) NOT NULL, "enabled" boolean NOT NULL DEFAULT true, "mac_address" character varying(255), "mtu" integer, "mode" character varying(32), "untagged_vlan_id" uuid, "vrf_id" uuid, "description" text, CONSTRAINT "ck_mtu" CHECK ("mtu" >= 0), CONSTRAINT "ck_mode" CHECK ("mode" IN ('access', 'tagged', 'tagged-all')), CONSTRAINT "pk_virtual_machine_interfaces" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_virtual_machine_interfaces_created_at_id" ON "virtual_machine_interfaces"  ("created_at", "id") `,
  `CREATE INDEX "ix_virtual_machine_interfaces_untagged_vlan_id" ON "virtual_machine_interfaces"  ("untagged_vlan_id") `,
  `CREATE INDEX "ix_virtual_machine_interfaces_vrf_id" ON "virtual_machine_interfaces"  ("vrf_id") `,
  `CREATE UNIQUE INDEX "ix_virtual_machine_interfaces_virtual_machine_id_name" ON "virtual_machine_interfaces"  ("virtual_machine_id", "name") `,
  `CREATE TABLE "virtual_machine_addresses" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "virtual_machine_id" uuid NOT NULL, "ip_address_id" uuid NOT NULL, "interface_id" uuid, CONSTRAINT "pk_virtual_machine_addresses" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_virtual_machine_addresses_created_at_id" ON "virtual_machine_addresses"  ("created_at", "id") `,
  `CREATE INDEX "ix_virtual_machine_addresses_virtual_machine_id" ON "virtual_machine_addresses"  ("virtual_machine_id") `,
  `CREATE UNIQUE INDEX "ix_virtual_machine_addresses_ip_address_id" ON "virtual_machine_addresses"  ("ip_address_id") `,
  `CREATE INDEX "ix_virtual_machine_addresses_interface_id" ON "virtual_machine_addresses"  ("interface_id") `,
  `CREATE TABLE "circuits" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "circuit_number" character varying(255) NOT NULL, "vendor_id" uuid, "contract_id" uuid, "type" character varying(255), "status" character varying(255) NOT NULL DEFAULT 'active', "commit_rate_kbps" integer, "install_date" date, "termination_date" date, "tenant_group_id" uuid, "description" text, CONSTRAINT "ck_commit_rate_kbps" CHECK ("commit_rate_kbps" >= 0), CONSTRAINT "pk_circuits" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_circuits_created_at_id" ON "circuits"  ("created_at", "id") `,
  `CREATE INDEX "ix_circuits_contract_id" ON "circuits"  ("contract_id") `,
  `CREATE INDEX "ix_circuits_tenant_group_id" ON "circuits"  ("tenant_group_id") `,
  `CREATE UNIQUE INDEX "ix_circuits_vendor_id_circuit_number" ON "circuits"  ("vendor_id", "circuit_number") `,
  `CREATE TABLE "circuit_terminations" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "circuit_id" uuid NOT NULL, "side" character varying(32) NOT NULL, "site_id" uuid, "provider_network" character varying(255), "port_speed_kbps" integer, "upstream_speed_kbps" integer, "cross_connect" character varying(255), "patch_panel" character varying(255), "description" text, CONSTRAINT "ck_side" CHECK ("side" IN ('A', 'Z')), CONSTRAINT "ck_port_speed_kbps" CHECK ("port_speed_kbps" >= 0), CONSTRAINT "ck_upstream_speed_kbps" CHECK ("upstream_speed_kbps" >= 0), CONSTRAINT "ck_circuit_terminations_place" CHECK (site_id IS NULL OR provider_network IS NULL), CONSTRAINT "pk_circuit_terminations" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_circuit_terminations_created_at_id" ON "circuit_terminations"  ("created_at", "id") `,
  `CREATE INDEX "ix_circuit_terminations_site_id" ON "circuit_terminations"  ("site_id") `,
  `CREATE UNIQUE INDEX "ix_circuit_terminations_circuit_id_side" ON "circuit_terminations"  ("circuit_id", "side") `,
  `ALTER TABLE "sites" ADD "region_id" uuid`,
  `CREATE INDEX "ix_sites_region_id" ON "sites"  ("region_id") `,
  `ALTER TABLE "regions" ADD CONSTRAINT "fk_regions_parent_id" FOREIGN KEY ("parent_id") REFERENCES "regions"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "sites" ADD CONSTRAINT "fk_sites_region_id" FOREIGN KEY ("region_id") REFERENCES "regions"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "power_feeds" ADD CONSTRAINT "fk_power_feeds_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "power_feeds" ADD CONSTRAINT "fk_power_feeds_rack_id" FOREIGN KEY ("rack_id") REFERENCES "racks"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "power_feeds" ADD CONSTRAINT "fk_power_feeds_tenant_group_id" FOREIGN KEY ("tenant_group_id") REFERENCES "tenant_groups"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "virtual_machine_interfaces" ADD CONSTRAINT "fk_virtual_machine_interfaces_virtual_machine_id" FOREIGN KEY ("virtual_machine_id") REFERENCES "virtual_machines"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "virtual_machine_interfaces" ADD CONSTRAINT "fk_virtual_machine_interfaces_untagged_vlan_id" FOREIGN KEY ("untagged_vlan_id") REFERENCES "vlans"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "virtual_machine_interfaces" ADD CONSTRAINT "fk_virtual_machine_interfaces_vrf_id" FOREIGN KEY ("vrf_id") REFERENCES "vrfs"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "virtual_machine_addresses" ADD CONSTRAINT "fk_virtual_machine_addresses_virtual_machine_id" FOREIGN KEY ("virtual_machine_id") REFERENCES "virtual_machines"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "virtual_machine_addresses" ADD CONSTRAINT "fk_virtual_machine_addresses_ip_address_id" FOREIGN KEY ("ip_address_id") REFERENCES "ip_addresses"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "virtual_machine_addresses" ADD CONSTRAINT "fk_virtual_machine_addresses_interface_id" FOREIGN KEY ("interface_id") REFERENCES "virtual_machine_interfaces"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "circuits" ADD CONSTRAINT "fk_circuits_vendor_id" FOREIGN KEY ("vendor_id") REFERENCES "vendors"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "circuits" ADD CONSTRAINT "fk_circuits_contract_id" FOREIGN KEY ("contract_id") REFERENCES "contracts"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "circuits" ADD CONSTRAINT "fk_circuits_tenant_group_id" FOREIGN KEY ("tenant_group_id") REFERENCES "tenant_groups"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "circuit_terminations" ADD CONSTRAINT "fk_circuit_terminations_circuit_id" FOREIGN KEY ("circuit_id") REFERENCES "circuits"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "circuit_terminations" ADD CONSTRAINT "fk_circuit_terminations_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `SELECT log_records('regions', 'network', 'name', '{}', '{}', 't')`,
  `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_regions_search ON regions USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching regions will read all of it';
END
$$`,
  `CREATE INDEX ix_regions_name_order ON regions (name COLLATE "C", id)`,
  `CREATE INDEX ix_regions_slug_order ON regions (slug COLLATE "C", id)`,
  `SELECT log_records('power_feeds', 'network', 'name', '{}', '{status}', 't')`,
  `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_power_feeds_search ON power_feeds USING gin (name gin_trgm_ops, panel gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching power_feeds will read all of it';
END
$$`,
  `CREATE INDEX ix_power_feeds_name_order ON power_feeds (name COLLATE "C", id)`,
  `CREATE INDEX ix_power_feeds_panel_order ON power_feeds (panel COLLATE "C", id)`,
  `CREATE INDEX ix_power_feeds_status_created_at_id ON power_feeds (status COLLATE "C", created_at, id)`,
  `SELECT log_records('virtual_machine_interfaces', 'network', 'name', '{}', '{}', 'f')`,
  `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_virtual_machine_interfaces_search ON virtual_machine_interfaces USING gin (name gin_trgm_ops, mac_address gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching virtual_machine_interfaces will read all of it';
END
$$`,
  `SELECT log_records('virtual_machine_addresses', 'network', 'name', '{}', '{}', 'f')`,
  `SELECT log_records('circuits', 'network', 'circuit_number', '{}', '{status}', 't')`,
  `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_circuits_search ON circuits USING gin (circuit_number gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching circuits will read all of it';
END
$$`,
  `CREATE INDEX ix_circuits_circuit_number_order ON circuits (circuit_number COLLATE "C", id)`,
  `CREATE INDEX ix_circuits_status_created_at_id ON circuits (status COLLATE "C", created_at, id)`,
  `SELECT log_records('circuit_terminations', 'network', 'side', '{}', '{}', 'f')`,
  `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_circuit_terminations_search ON circuit_terminations USING gin (provider_network gin_trgm_ops, cross_connect gin_trgm_ops, patch_panel gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching circuit_terminations will read all of it';
END
$$`,
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- An address of a virtual machine gets no device. It runs after ip_addresses_home, which sets the device of a port.
CREATE OR REPLACE FUNCTION ip_addresses_machine() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  machine uuid;
BEGIN
  SELECT virtual_machine_id INTO machine FROM virtual_machine_addresses WHERE ip_address_id = NEW.id;
  IF FOUND THEN
    IF NEW.interface_id IS DISTINCT FROM OLD.interface_id THEN
      RAISE EXCEPTION 'the address belongs to a virtual machine'
        USING ERRCODE = 'unique_violation', TABLE = 'virtual_machines', CONSTRAINT = 'uq_ip_addresses_interface_machine',
          DETAIL = format('Key (id)=(%s) already exists.', machine);
    END IF;
    RAISE EXCEPTION 'the address belongs to a virtual machine'
      USING ERRCODE = 'unique_violation', TABLE = 'virtual_machines', CONSTRAINT = 'uq_ip_addresses_device_machine',
        DETAIL = format('Key (id)=(%s) already exists.', machine);
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER ip_addresses_machine BEFORE UPDATE OF device_id, interface_id ON ip_addresses
  FOR EACH ROW WHEN (
    (NEW.device_id IS NOT NULL OR NEW.interface_id IS NOT NULL)
    AND (NEW.device_id, NEW.interface_id) IS DISTINCT FROM (OLD.device_id, OLD.interface_id)
  ) EXECUTE FUNCTION ip_addresses_machine();`,
  `-- Fields that are set when a record is created and never changed. The argument names the rule.
CREATE OR REPLACE FUNCTION keep_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% cannot be changed', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_ARGV[0];
END
$$;

CREATE OR REPLACE TRIGGER circuit_terminations_fixed BEFORE UPDATE OF side ON circuit_terminations
  FOR EACH ROW WHEN (NEW.side <> OLD.side) EXECUTE FUNCTION keep_fixed('ck_circuit_terminations_side_fixed');

CREATE OR REPLACE TRIGGER virtual_machine_addresses_fixed BEFORE UPDATE OF ip_address_id ON virtual_machine_addresses
  FOR EACH ROW WHEN (NEW.ip_address_id <> OLD.ip_address_id)
  EXECUTE FUNCTION keep_fixed('ck_virtual_machine_addresses_ip_address_id_fixed');`,
  `-- A feed is where its rack is. As with a device (devices_home), a rack without a site contradicts nothing.
CREATE OR REPLACE FUNCTION power_feeds_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rack record;
BEGIN
  SELECT r.site_id INTO rack FROM racks r WHERE r.id = NEW.rack_id FOR SHARE;
  -- The foreign key refuses a rack that does not exist.
  IF NOT FOUND THEN RETURN NEW; END IF;
  IF TG_OP = 'INSERT' OR (NEW.rack_id IS DISTINCT FROM OLD.rack_id AND NEW.site_id IS NOT DISTINCT FROM OLD.site_id) THEN
    NEW.site_id := CASE WHEN TG_OP = 'INSERT' THEN coalesce(NEW.site_id, rack.site_id) ELSE coalesce(rack.site_id, NEW.site_id) END;
  END IF;
  IF NEW.site_id <> rack.site_id THEN
    RAISE EXCEPTION 'site_id contradicts the rack'
      USING ERRCODE = 'check_violation', TABLE = 'power_feeds', CONSTRAINT = 'ck_power_feeds_site_id_rack';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER power_feeds_home_insert BEFORE INSERT ON power_feeds
  FOR EACH ROW WHEN (NEW.rack_id IS NOT NULL) EXECUTE FUNCTION power_feeds_home();

CREATE OR REPLACE TRIGGER power_feeds_home_update BEFORE UPDATE OF rack_id, site_id ON power_feeds
  FOR EACH ROW WHEN (NEW.rack_id IS NOT NULL AND (NEW.rack_id, NEW.site_id) IS DISTINCT FROM (OLD.rack_id, OLD.site_id))
  EXECUTE FUNCTION power_feeds_home();`,
  `-- A rack does not shrink below its devices, and one that moves takes them along.
CREATE OR REPLACE FUNCTION racks_placement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outside text;
BEGIN
  IF NEW.units < OLD.units OR (OLD.units IS NULL AND NEW.units IS NOT NULL) THEN
    outside := device_outside_rack(ARRAY(SELECT id FROM devices WHERE rack_id = NEW.id AND rack_position IS NOT NULL));
    IF outside IS NOT NULL THEN
      RAISE EXCEPTION 'a device would be outside the rack'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_racks_units', DETAIL = outside;
    END IF;
  END IF;
  IF (NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.site_id, OLD.location_id) THEN
    UPDATE devices SET
      site_id = CASE WHEN NEW.site_id IS NOT NULL OR site_id = OLD.site_id THEN NEW.site_id ELSE site_id END,
      location_id = CASE WHEN NEW.location_id IS NOT NULL OR location_id = OLD.location_id THEN NEW.location_id ELSE location_id END
    WHERE rack_id = NEW.id;
    UPDATE power_feeds SET
      site_id = CASE WHEN NEW.site_id IS NOT NULL OR site_id = OLD.site_id THEN NEW.site_id ELSE site_id END
    WHERE rack_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER racks_placement AFTER UPDATE OF units, site_id, location_id ON racks
  FOR EACH ROW WHEN ((NEW.units, NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.units, OLD.site_id, OLD.location_id))
  EXECUTE FUNCTION racks_placement();`,
  `-- A region is never its own ancestor. Two changes that are harmless alone can close a circle together, so changes of
-- parents take turns: the second waits until the first has ended, and then sees it. A new region cannot close a circle,
-- as nothing lies within it yet.
CREATE OR REPLACE FUNCTION regions_ancestry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('regions.parent_id'));
  IF EXISTS (
    WITH RECURSIVE ancestors AS (
      SELECT NEW.parent_id AS id
      UNION
      SELECT r.parent_id FROM regions r JOIN ancestors a ON a.id = r.id WHERE r.parent_id IS NOT NULL
    )
    SELECT FROM ancestors WHERE id = NEW.id
  ) THEN
    RAISE EXCEPTION 'a region cannot be its own ancestor'
      USING ERRCODE = 'check_violation', TABLE = 'regions', CONSTRAINT = 'ck_regions_parent_id';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER regions_ancestry BEFORE UPDATE OF parent_id ON regions
  FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL AND NEW.parent_id IS DISTINCT FROM OLD.parent_id)
  EXECUTE FUNCTION regions_ancestry();`,
  `-- An address belongs to one device or one virtual machine. Both writers lock the address, so the second one sees what the first
-- has done. Interfaces never move to another machine.
CREATE OR REPLACE FUNCTION virtual_machine_addresses_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  device uuid;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT device_id INTO device FROM ip_addresses WHERE id = NEW.ip_address_id FOR SHARE;
    IF device IS NOT NULL THEN
      RAISE EXCEPTION 'the address belongs to a device'
        USING ERRCODE = 'unique_violation', TABLE = 'devices', CONSTRAINT = 'uq_virtual_machine_addresses_device',
          DETAIL = format('Key (id)=(%s) already exists.', device);
    END IF;
  END IF;
  IF EXISTS (
    SELECT FROM virtual_machine_interfaces WHERE id = NEW.interface_id AND virtual_machine_id <> NEW.virtual_machine_id
  ) THEN
    RAISE EXCEPTION 'the interface is that of another virtual machine'
      USING ERRCODE = 'check_violation', TABLE = 'virtual_machine_addresses',
        CONSTRAINT = 'ck_virtual_machine_addresses_interface';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER virtual_machine_addresses_home BEFORE INSERT OR UPDATE OF interface_id ON virtual_machine_addresses
  FOR EACH ROW EXECUTE FUNCTION virtual_machine_addresses_home();`,
];

const down = [
  `DROP TRIGGER ip_addresses_machine ON ip_addresses`,
  `DROP FUNCTION ip_addresses_machine()`,
  `DROP TRIGGER virtual_machine_addresses_fixed ON virtual_machine_addresses`,
  `DROP TRIGGER circuit_terminations_fixed ON circuit_terminations`,
  `DROP FUNCTION keep_fixed()`,
  `DROP TRIGGER power_feeds_home_insert ON power_feeds`,
  `DROP TRIGGER power_feeds_home_update ON power_feeds`,
  `DROP FUNCTION power_feeds_home()`,
  `CREATE OR REPLACE FUNCTION public.racks_placement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  outside text;
BEGIN
  IF NEW.units < OLD.units OR (OLD.units IS NULL AND NEW.units IS NOT NULL) THEN
    outside := device_outside_rack(ARRAY(SELECT id FROM devices WHERE rack_id = NEW.id AND rack_position IS NOT NULL));
    IF outside IS NOT NULL THEN
      RAISE EXCEPTION 'a device would be outside the rack'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_racks_units', DETAIL = outside;
    END IF;
  END IF;
  IF (NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.site_id, OLD.location_id) THEN
    UPDATE devices SET
      site_id = CASE WHEN NEW.site_id IS NOT NULL OR site_id = OLD.site_id THEN NEW.site_id ELSE site_id END,
      location_id = CASE WHEN NEW.location_id IS NOT NULL OR location_id = OLD.location_id THEN NEW.location_id ELSE location_id END
    WHERE rack_id = NEW.id;
  END IF;
  RETURN NULL;
END
$function$
`,
  `DROP TRIGGER regions_ancestry ON regions`,
  `DROP FUNCTION regions_ancestry()`,
  `DROP TRIGGER virtual_machine_addresses_home ON virtual_machine_addresses`,
  `DROP FUNCTION virtual_machine_addresses_home()`,
  `DELETE FROM record_counts WHERE table_name = 'circuit_terminations'`,
  `DELETE FROM value_counts WHERE table_name = 'circuit_terminations'`,
  `DELETE FROM record_counts WHERE table_name = 'circuits'`,
  `DELETE FROM value_counts WHERE table_name = 'circuits'`,
  `DELETE FROM record_counts WHERE table_name = 'virtual_machine_addresses'`,
  `DELETE FROM value_counts WHERE table_name = 'virtual_machine_addresses'`,
  `DELETE FROM record_counts WHERE table_name = 'virtual_machine_interfaces'`,
  `DELETE FROM value_counts WHERE table_name = 'virtual_machine_interfaces'`,
  `DELETE FROM record_counts WHERE table_name = 'power_feeds'`,
  `DELETE FROM value_counts WHERE table_name = 'power_feeds'`,
  `DELETE FROM record_counts WHERE table_name = 'regions'`,
  `DELETE FROM value_counts WHERE table_name = 'regions'`,
  `ALTER TABLE "circuit_terminations" DROP CONSTRAINT "fk_circuit_terminations_site_id"`,
  `ALTER TABLE "circuit_terminations" DROP CONSTRAINT "fk_circuit_terminations_circuit_id"`,
  `ALTER TABLE "circuits" DROP CONSTRAINT "fk_circuits_tenant_group_id"`,
  `ALTER TABLE "circuits" DROP CONSTRAINT "fk_circuits_contract_id"`,
  `ALTER TABLE "circuits" DROP CONSTRAINT "fk_circuits_vendor_id"`,
  `ALTER TABLE "virtual_machine_addresses" DROP CONSTRAINT "fk_virtual_machine_addresses_interface_id"`,
  `ALTER TABLE "virtual_machine_addresses" DROP CONSTRAINT "fk_virtual_machine_addresses_ip_address_id"`,
  `ALTER TABLE "virtual_machine_addresses" DROP CONSTRAINT "fk_virtual_machine_addresses_virtual_machine_id"`,
  `ALTER TABLE "virtual_machine_interfaces" DROP CONSTRAINT "fk_virtual_machine_interfaces_vrf_id"`,
  `ALTER TABLE "virtual_machine_interfaces" DROP CONSTRAINT "fk_virtual_machine_interfaces_untagged_vlan_id"`,
  `ALTER TABLE "virtual_machine_interfaces" DROP CONSTRAINT "fk_virtual_machine_interfaces_virtual_machine_id"`,
  `ALTER TABLE "power_feeds" DROP CONSTRAINT "fk_power_feeds_tenant_group_id"`,
  `ALTER TABLE "power_feeds" DROP CONSTRAINT "fk_power_feeds_rack_id"`,
  `ALTER TABLE "power_feeds" DROP CONSTRAINT "fk_power_feeds_site_id"`,
  `ALTER TABLE "sites" DROP CONSTRAINT "fk_sites_region_id"`,
  `ALTER TABLE "regions" DROP CONSTRAINT "fk_regions_parent_id"`,
  `DROP INDEX "public"."ix_sites_region_id"`,
  `ALTER TABLE "sites" DROP COLUMN "region_id"`,
  `DROP INDEX "public"."ix_circuit_terminations_circuit_id_side"`,
  `DROP INDEX "public"."ix_circuit_terminations_site_id"`,
  `DROP INDEX "public"."ix_circuit_terminations_created_at_id"`,
  `DROP TABLE "circuit_terminations"`,
  `DROP INDEX "public"."ix_circuits_vendor_id_circuit_number"`,
  `DROP INDEX "public"."ix_circuits_tenant_group_id"`,
  `DROP INDEX "public"."ix_circuits_contract_id"`,
  `DROP INDEX "public"."ix_circuits_created_at_id"`,
  `DROP TABLE "circuits"`,
  `DROP INDEX "public"."ix_virtual_machine_addresses_interface_id"`,
  `DROP INDEX "public"."ix_virtual_machine_addresses_ip_address_id"`,
  `DROP INDEX "public"."ix_virtual_machine_addresses_virtual_machine_id"`,
  `DROP INDEX "public"."ix_virtual_machine_addresses_created_at_id"`,
  `DROP TABLE "virtual_machine_addresses"`,
  `DROP INDEX "public"."ix_virtual_machine_interfaces_virtual_machine_id_name"`,
  `DROP INDEX "public"."ix_virtual_machine_interfaces_vrf_id"`,
  `DROP INDEX "public"."ix_virtual_machine_interfaces_untagged_vlan_id"`,
  `DROP INDEX "public"."ix_virtual_machine_interfaces_created_at_id"`,
  `DROP TABLE "virtual_machine_interfaces"`,
  `DROP INDEX "public"."ix_power_feeds_tenant_group_id"`,
  `DROP INDEX "public"."ix_power_feeds_rack_id"`,
  `DROP INDEX "public"."ix_power_feeds_site_id"`,
  `DROP INDEX "public"."ix_power_feeds_created_at_id"`,
  `DROP TABLE "power_feeds"`,
  `DROP INDEX "public"."ix_regions_parent_id"`,
  `DROP INDEX "public"."ix_regions_created_at_id"`,
  `DROP TABLE "regions"`,
];

export class RegionsCircuitsPowerMachines1795700000022 implements MigrationInterface {
  readonly name = 'RegionsCircuitsPowerMachines1795700000022';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
