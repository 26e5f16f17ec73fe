import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `ALTER TABLE "incident_targets" DROP CONSTRAINT "ck_resource", ADD CONSTRAINT "ck_resource" CHECK ("resource" IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences', 'regions', 'circuits', 'power-feeds'))`,
  `ALTER TABLE "change_request_targets" DROP CONSTRAINT "ck_resource", ADD CONSTRAINT "ck_resource" CHECK ("resource" IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences', 'regions', 'circuits', 'power-feeds'))`,
  `ALTER TABLE "maintenance_window_targets" DROP CONSTRAINT "ck_resource", ADD CONSTRAINT "ck_resource" CHECK ("resource" IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences', 'regions', 'circuits', 'power-feeds'))`,
  `ALTER TABLE "change_request_targets" ADD "region_id" uuid`,
  `ALTER TABLE "change_request_targets" ADD "circuit_id" uuid`,
  `ALTER TABLE "change_request_targets" ADD "power_feed_id" uuid`,
  `ALTER TABLE "incident_targets" ADD "region_id" uuid`,
  `ALTER TABLE "incident_targets" ADD "circuit_id" uuid`,
  `ALTER TABLE "incident_targets" ADD "power_feed_id" uuid`,
  `ALTER TABLE "maintenance_window_targets" ADD "region_id" uuid`,
  `ALTER TABLE "maintenance_window_targets" ADD "circuit_id" uuid`,
  `ALTER TABLE "maintenance_window_targets" ADD "power_feed_id" uuid`,
  `CREATE INDEX "ix_change_request_targets_region_id" ON "change_request_targets"  ("region_id") `,
  `CREATE INDEX "ix_change_request_targets_circuit_id" ON "change_request_targets"  ("circuit_id") `,
  `CREATE INDEX "ix_change_request_targets_power_feed_id" ON "change_request_targets"  ("power_feed_id") `,
  `CREATE INDEX "ix_incident_targets_region_id" ON "incident_targets"  ("region_id") `,
  `CREATE INDEX "ix_incident_targets_circuit_id" ON "incident_targets"  ("circuit_id") `,
  `CREATE INDEX "ix_incident_targets_power_feed_id" ON "incident_targets"  ("power_feed_id") `,
  `CREATE INDEX "ix_maintenance_window_targets_region_id" ON "maintenance_window_targets"  ("region_id") `,
  `CREATE INDEX "ix_maintenance_window_targets_circuit_id" ON "maintenance_window_targets"  ("circuit_id") `,
  `CREATE INDEX "ix_maintenance_window_targets_power_feed_id" ON "maintenance_window_targets"  ("power_feed_id") `,
  `ALTER TABLE "change_request_targets" ADD CONSTRAINT "fk_change_request_targets_region_id" FOREIGN KEY ("region_id") REFERENCES "regions"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "change_request_targets" ADD CONSTRAINT "fk_change_request_targets_circuit_id" FOREIGN KEY ("circuit_id") REFERENCES "circuits"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "change_request_targets" ADD CONSTRAINT "fk_change_request_targets_power_feed_id" FOREIGN KEY ("power_feed_id") REFERENCES "power_feeds"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "incident_targets" ADD CONSTRAINT "fk_incident_targets_region_id" FOREIGN KEY ("region_id") REFERENCES "regions"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "incident_targets" ADD CONSTRAINT "fk_incident_targets_circuit_id" FOREIGN KEY ("circuit_id") REFERENCES "circuits"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "incident_targets" ADD CONSTRAINT "fk_incident_targets_power_feed_id" FOREIGN KEY ("power_feed_id") REFERENCES "power_feeds"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "maintenance_window_targets" ADD CONSTRAINT "fk_maintenance_window_targets_region_id" FOREIGN KEY ("region_id") REFERENCES "regions"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "maintenance_window_targets" ADD CONSTRAINT "fk_maintenance_window_targets_circuit_id" FOREIGN KEY ("circuit_id") REFERENCES "circuits"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "maintenance_window_targets" ADD CONSTRAINT "fk_maintenance_window_targets_power_feed_id" FOREIGN KEY ("power_feed_id") REFERENCES "power_feeds"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- A target is a record of one of several tables. The column of its table has a foreign key, which ends with the record.
CREATE OR REPLACE FUNCTION point_target() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;

CREATE OR REPLACE TRIGGER change_request_targets_point BEFORE INSERT OR UPDATE ON change_request_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER incident_targets_point BEFORE INSERT OR UPDATE ON incident_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER maintenance_window_targets_point BEFORE INSERT OR UPDATE ON maintenance_window_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();`,
  `-- The devices that lose power when feeds and devices fail: \`down\` if no cabled power port of theirs still has a supply, \`degraded\` if
-- some have. A supply is lost at a failed feed, at an outlet of a device that is down, and at an outlet all of whose cabled power
-- ports are lost. What has no cable, or no known feed, holds. \`via\` is at the other end of the cable of a lost port.
CREATE OR REPLACE FUNCTION power_lost(feeds uuid[], devices uuid[])
RETURNS TABLE (device_id uuid, effect text, via_resource text, via_id uuid) LANGUAGE plpgsql STABLE AS $$
DECLARE
  down uuid[] := devices;
  lost uuid[] := '{}';
  lost_outlets uuid[] := '{}';
  suppliers uuid[] := feeds || ARRAY(SELECT p.id FROM device_ports p WHERE p.device_id = ANY (devices) AND p.kind = 'outlet');
  fresh uuid[];
  touched uuid[];
  newly uuid[];
BEGIN
  WHILE cardinality(suppliers) > 0 LOOP
    fresh := ARRAY(
      SELECT p.id FROM unnest(suppliers) s (id) JOIN cable_ends e ON e.end_id = s.id
        JOIN device_ports p ON p.id = e.other_id AND p.kind = 'power'
      WHERE p.device_id NOT IN (SELECT unnest(down)));
    lost := lost || fresh;
    touched := ARRAY(SELECT DISTINCT p.device_id FROM unnest(fresh) f (id) JOIN device_ports p ON p.id = f.id);
    newly := ARRAY(
      SELECT t.id FROM unnest(touched) t (id) WHERE NOT EXISTS (
        SELECT FROM device_ports p JOIN cable_ends e ON e.end_id = p.id
        WHERE p.device_id = t.id AND p.kind = 'power' AND p.id NOT IN (SELECT unnest(lost))));
    down := down || newly;
    suppliers := ARRAY(
      SELECT o.id FROM device_ports o WHERE o.device_id = ANY (touched) AND o.kind = 'outlet'
        AND o.id NOT IN (SELECT unnest(lost_outlets))
        AND (o.device_id IN (SELECT unnest(newly)) OR (
          SELECT bool_and(p.id IN (SELECT unnest(lost))) FROM device_ports p JOIN cable_ends e ON e.end_id = p.id
          WHERE p.device_id = o.device_id AND p.kind = 'power' AND (o.power_port_id IS NULL OR p.id = o.power_port_id))));
    lost_outlets := lost_outlets || suppliers;
  END LOOP;
  RETURN QUERY
    SELECT DISTINCT ON (p.device_id) p.device_id, CASE WHEN p.device_id IN (SELECT unnest(down)) THEN 'down' ELSE 'degraded' END,
      CASE WHEN o.id IS NULL THEN 'power-feeds' ELSE 'devices' END, coalesce(o.device_id, e.other_id)
    FROM unnest(lost) l (id) JOIN device_ports p ON p.id = l.id JOIN cable_ends e ON e.end_id = p.id
      LEFT JOIN device_ports o ON o.id = e.other_id
    ORDER BY p.device_id, natural_order(p.name) COLLATE "C", p.id;
END
$$;`,
];

const down = [
  `DELETE FROM "incident_targets" WHERE "resource" IN ('regions', 'circuits', 'power-feeds')`,
  `ALTER TABLE "incident_targets" DROP CONSTRAINT "ck_resource", ADD CONSTRAINT "ck_resource" CHECK ("resource" IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences'))`,
  `DELETE FROM "change_request_targets" WHERE "resource" IN ('regions', 'circuits', 'power-feeds')`,
  `ALTER TABLE "change_request_targets" DROP CONSTRAINT "ck_resource", ADD CONSTRAINT "ck_resource" CHECK ("resource" IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences'))`,
  `DELETE FROM "maintenance_window_targets" WHERE "resource" IN ('regions', 'circuits', 'power-feeds')`,
  `ALTER TABLE "maintenance_window_targets" DROP CONSTRAINT "ck_resource", ADD CONSTRAINT "ck_resource" CHECK ("resource" IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences'))`,
  `CREATE OR REPLACE FUNCTION public.point_target()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.site_id := CASE WHEN NEW.resource = 'sites' THEN NEW.record_id END;
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
  `DROP FUNCTION power_lost(uuid[],uuid[])`,
  `ALTER TABLE "maintenance_window_targets" DROP CONSTRAINT "fk_maintenance_window_targets_power_feed_id"`,
  `ALTER TABLE "maintenance_window_targets" DROP CONSTRAINT "fk_maintenance_window_targets_circuit_id"`,
  `ALTER TABLE "maintenance_window_targets" DROP CONSTRAINT "fk_maintenance_window_targets_region_id"`,
  `ALTER TABLE "incident_targets" DROP CONSTRAINT "fk_incident_targets_power_feed_id"`,
  `ALTER TABLE "incident_targets" DROP CONSTRAINT "fk_incident_targets_circuit_id"`,
  `ALTER TABLE "incident_targets" DROP CONSTRAINT "fk_incident_targets_region_id"`,
  `ALTER TABLE "change_request_targets" DROP CONSTRAINT "fk_change_request_targets_power_feed_id"`,
  `ALTER TABLE "change_request_targets" DROP CONSTRAINT "fk_change_request_targets_circuit_id"`,
  `ALTER TABLE "change_request_targets" DROP CONSTRAINT "fk_change_request_targets_region_id"`,
  `DROP INDEX "public"."ix_maintenance_window_targets_power_feed_id"`,
  `DROP INDEX "public"."ix_maintenance_window_targets_circuit_id"`,
  `DROP INDEX "public"."ix_maintenance_window_targets_region_id"`,
  `DROP INDEX "public"."ix_incident_targets_power_feed_id"`,
  `DROP INDEX "public"."ix_incident_targets_circuit_id"`,
  `DROP INDEX "public"."ix_incident_targets_region_id"`,
  `DROP INDEX "public"."ix_change_request_targets_power_feed_id"`,
  `DROP INDEX "public"."ix_change_request_targets_circuit_id"`,
  `DROP INDEX "public"."ix_change_request_targets_region_id"`,
  `ALTER TABLE "maintenance_window_targets" DROP COLUMN "power_feed_id"`,
  `ALTER TABLE "maintenance_window_targets" DROP COLUMN "circuit_id"`,
  `ALTER TABLE "maintenance_window_targets" DROP COLUMN "region_id"`,
  `ALTER TABLE "incident_targets" DROP COLUMN "power_feed_id"`,
  `ALTER TABLE "incident_targets" DROP COLUMN "circuit_id"`,
  `ALTER TABLE "incident_targets" DROP COLUMN "region_id"`,
  `ALTER TABLE "change_request_targets" DROP COLUMN "power_feed_id"`,
  `ALTER TABLE "change_request_targets" DROP COLUMN "circuit_id"`,
  `ALTER TABLE "change_request_targets" DROP COLUMN "region_id"`,
];

export class PowerTargets1795700000027 implements MigrationInterface {
  readonly name = 'PowerTargets1795700000027';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
