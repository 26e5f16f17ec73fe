import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `CREATE TABLE "contract_coverage" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "resource" character varying(32) NOT NULL, "record_id" uuid NOT NULL, "site_id" uuid, "rack_id" uuid, "device_id" uuid, "cluster_id" uuid, "virtual_machine_id" uuid, "circuit_id" uuid, "asset_id" uuid, "software_licence_id" uuid, "start_date" date, "end_date" date, "contract_id" uuid NOT NULL, "custom_fields" jsonb, CONSTRAINT "ck_resource" CHECK ("resource" IN ('sites', 'racks', 'devices', 'clusters', 'virtual-machines', 'circuits', 'assets', 'software-licences')), CONSTRAINT "ck_contract_coverage_end_date" CHECK ("end_date" >= "start_date"), CONSTRAINT "ex_contract_coverage_days" EXCLUDE USING gist (record_id WITH =, contract_id WITH =, resource WITH =, daterange(start_date, end_date, '[]') WITH &&), CONSTRAINT "pk_contract_coverage" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_contract_coverage_created_at_id" ON "contract_coverage"  ("created_at", "id") `,
  `CREATE INDEX "ix_contract_coverage_site_id" ON "contract_coverage"  ("site_id") `,
  `CREATE INDEX "ix_contract_coverage_rack_id" ON "contract_coverage"  ("rack_id") `,
  `CREATE INDEX "ix_contract_coverage_device_id" ON "contract_coverage"  ("device_id") `,
  `CREATE INDEX "ix_contract_coverage_cluster_id" ON "contract_coverage"  ("cluster_id") `,
  `CREATE INDEX "ix_contract_coverage_virtual_machine_id" ON "contract_coverage"  ("virtual_machine_id") `,
  `CREATE INDEX "ix_contract_coverage_circuit_id" ON "contract_coverage"  ("circuit_id") `,
  `CREATE INDEX "ix_contract_coverage_asset_id" ON "contract_coverage"  ("asset_id") `,
  `CREATE INDEX "ix_contract_coverage_software_licence_id" ON "contract_coverage"  ("software_licence_id") `,
  `CREATE INDEX "ix_contract_coverage_contract_id" ON "contract_coverage"  ("contract_id") `,
  `CREATE TABLE "sla_coverage" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "resource" character varying(32) NOT NULL, "record_id" uuid NOT NULL, "site_id" uuid, "rack_id" uuid, "device_id" uuid, "cluster_id" uuid, "virtual_machine_id" uuid, "circuit_id" uuid, "asset_id" uuid, "software_licence_id" uuid, "start_date" date, "end_date" date, "sla_id" uuid NOT NULL, "custom_fields" jsonb, CONSTRAINT "ck_resource" CHECK ("resource" IN ('sites', 'racks', 'devices', 'clusters', 'virtual-machines', 'circuits', 'assets', 'software-licences')), CONSTRAINT "ck_sla_coverage_end_date" CHECK ("end_date" >= "start_date"), CONSTRAINT "ex_sla_coverage_days" EXCLUDE USING gist (record_id WITH =, sla_id WITH =, resource WITH =, daterange(start_date, end_date, '[]') WITH &&), CONSTRAINT "pk_sla_coverage" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_sla_coverage_created_at_id" ON "sla_coverage"  ("created_at", "id") `,
  `CREATE INDEX "ix_sla_coverage_site_id" ON "sla_coverage"  ("site_id") `,
  `CREATE INDEX "ix_sla_coverage_rack_id" ON "sla_coverage"  ("rack_id") `,
  `CREATE INDEX "ix_sla_coverage_device_id" ON "sla_coverage"  ("device_id") `,
  `CREATE INDEX "ix_sla_coverage_cluster_id" ON "sla_coverage"  ("cluster_id") `,
  `CREATE INDEX "ix_sla_coverage_virtual_machine_id" ON "sla_coverage"  ("virtual_machine_id") `,
  `CREATE INDEX "ix_sla_coverage_circuit_id" ON "sla_coverage"  ("circuit_id") `,
  `CREATE INDEX "ix_sla_coverage_asset_id" ON "sla_coverage"  ("asset_id") `,
  `CREATE INDEX "ix_sla_coverage_software_licence_id" ON "sla_coverage"  ("software_licence_id") `,
  `CREATE INDEX "ix_sla_coverage_sla_id" ON "sla_coverage"  ("sla_id") `,
  `ALTER TABLE "contract_coverage" ADD CONSTRAINT "fk_contract_coverage_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "contract_coverage" ADD CONSTRAINT "fk_contract_coverage_rack_id" FOREIGN KEY ("rack_id") REFERENCES "racks"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "contract_coverage" ADD CONSTRAINT "fk_contract_coverage_device_id" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "contract_coverage" ADD CONSTRAINT "fk_contract_coverage_cluster_id" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "contract_coverage" ADD CONSTRAINT "fk_contract_coverage_virtual_machine_id" FOREIGN KEY ("virtual_machine_id") REFERENCES "virtual_machines"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "contract_coverage" ADD CONSTRAINT "fk_contract_coverage_circuit_id" FOREIGN KEY ("circuit_id") REFERENCES "circuits"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "contract_coverage" ADD CONSTRAINT "fk_contract_coverage_asset_id" FOREIGN KEY ("asset_id") REFERENCES "assets"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "contract_coverage" ADD CONSTRAINT "fk_contract_coverage_software_licence_id" FOREIGN KEY ("software_licence_id") REFERENCES "software_licences"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "contract_coverage" ADD CONSTRAINT "fk_contract_coverage_contract_id" FOREIGN KEY ("contract_id") REFERENCES "contracts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sla_coverage" ADD CONSTRAINT "fk_sla_coverage_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sla_coverage" ADD CONSTRAINT "fk_sla_coverage_rack_id" FOREIGN KEY ("rack_id") REFERENCES "racks"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sla_coverage" ADD CONSTRAINT "fk_sla_coverage_device_id" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sla_coverage" ADD CONSTRAINT "fk_sla_coverage_cluster_id" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sla_coverage" ADD CONSTRAINT "fk_sla_coverage_virtual_machine_id" FOREIGN KEY ("virtual_machine_id") REFERENCES "virtual_machines"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sla_coverage" ADD CONSTRAINT "fk_sla_coverage_circuit_id" FOREIGN KEY ("circuit_id") REFERENCES "circuits"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sla_coverage" ADD CONSTRAINT "fk_sla_coverage_asset_id" FOREIGN KEY ("asset_id") REFERENCES "assets"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sla_coverage" ADD CONSTRAINT "fk_sla_coverage_software_licence_id" FOREIGN KEY ("software_licence_id") REFERENCES "software_licences"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sla_coverage" ADD CONSTRAINT "fk_sla_coverage_sla_id" FOREIGN KEY ("sla_id") REFERENCES "slas"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `SELECT log_records('contract_coverage', 'procurement', 'name', '{}', '{}', 'f')`,
  `CREATE INDEX ix_contract_coverage_custom_fields ON contract_coverage USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `SELECT log_records('sla_coverage', 'procurement', 'name', '{}', '{}', 'f')`,
  `CREATE INDEX ix_sla_coverage_custom_fields ON sla_coverage USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- A record is covered on days of the contract. The contract is locked, so that a change of its days at the same time waits, and then sees
-- the coverage.
CREATE OR REPLACE FUNCTION contract_coverage_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outside text;
BEGIN
  SELECT day_outside(NEW.start_date, NEW.end_date, c.start_date, c.end_date) INTO outside
    FROM contracts c WHERE c.id = NEW.contract_id FOR SHARE;
  IF outside IS NOT NULL THEN
    RAISE EXCEPTION 'a day is outside the contract'
      USING ERRCODE = 'check_violation', TABLE = 'contract_coverage', CONSTRAINT = 'ck_contract_coverage_days', COLUMN = outside;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER contract_coverage_days BEFORE INSERT OR UPDATE OF contract_id, start_date, end_date ON contract_coverage
  FOR EACH ROW EXECUTE FUNCTION contract_coverage_days();`,
  `-- The days of a contract do not leave out those of what it covers.
CREATE OR REPLACE FUNCTION contracts_coverage() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  other record;
BEGIN
  SELECT x.id, day_outside(x.start_date, x.end_date, NEW.start_date, NEW.end_date) AS outside INTO other FROM contract_coverage x
    WHERE x.contract_id = NEW.id AND day_outside(x.start_date, x.end_date, NEW.start_date, NEW.end_date) IS NOT NULL
    ORDER BY x.created_at, x.id LIMIT 1;
  IF FOUND THEN
    -- In the form in which PostgreSQL tells what an index refuses, so that the answer can name the coverage.
    RAISE EXCEPTION 'coverage would be outside the days of its contract'
      USING ERRCODE = 'exclusion_violation', TABLE = 'contract_coverage', CONSTRAINT = 'ex_contracts_coverage', COLUMN = other.outside,
        DETAIL = format('Key (id)=(%s) conflicts with existing key (id)=(%s).', other.id, other.id);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER contracts_coverage AFTER UPDATE OF start_date, end_date ON contracts
  FOR EACH ROW WHEN ((NEW.start_date, NEW.end_date) IS DISTINCT FROM (OLD.start_date, OLD.end_date))
  EXECUTE FUNCTION contracts_coverage();`,
  `-- All coverage: what contracts and SLAs cover, and the warranties of assets, each from its first to its last day, which are null if it is
-- open. \`is_active\`: the day is one of these, and the status of the contract lets it count. It has one statement, so that PostgreSQL makes it
-- part of the query that reads from it, and reads no more than that needs.
CREATE OR REPLACE FUNCTION coverage_spans(on_day date)
RETURNS TABLE (resource text, record_id uuid, kind text, source text, source_id uuid, source_name text, vendor_id uuid, first_day date, last_day date, is_active boolean, is_draft boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT s.resource, s.record_id, s.kind, s.source, s.source_id, s.source_name, s.vendor_id, s.first_day, s.last_day,
    s.is_live AND coalesce(s.first_day <= on_day, true) AND coalesce(s.last_day >= on_day, true), s.is_draft
  FROM (
    SELECT x.resource::text, x.record_id, 'contract'::text, 'contracts'::text, c.id, c.name::text, c.vendor_id,
      coalesce(x.start_date, c.start_date), coalesce(x.end_date, c.end_date),
      c.status NOT IN ('draft', 'expired', 'terminated'), c.status = 'draft'
    FROM contract_coverage x JOIN contracts c ON c.id = x.contract_id
    UNION ALL
    SELECT x.resource::text, x.record_id, 'sla'::text, 'slas'::text, s.id, s.name::text, s.vendor_id, x.start_date, x.end_date, true, false
    FROM sla_coverage x JOIN slas s ON s.id = x.sla_id
    UNION ALL
    SELECT 'assets'::text, a.id, 'warranty'::text, 'assets'::text, a.id, a.name::text, o.vendor_id,
      (a.purchased_at AT TIME ZONE INTERVAL '0')::date, (a.warranty_until AT TIME ZONE INTERVAL '0')::date, true, false
    FROM assets a LEFT JOIN purchase_orders o ON o.id = a.purchase_order_id WHERE a.warranty_until IS NOT NULL
  ) s (resource, record_id, kind, source, source_id, source_name, vendor_id, first_day, last_day, is_live, is_draft)
$$;`,
  `-- The property of a coverage that is outside the days of its contract; null if both are within. Null is an open day of the contract, and
-- of the coverage that of the contract.
CREATE OR REPLACE FUNCTION day_outside(start_date date, end_date date, first_day date, last_day date)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN start_date < first_day OR start_date > last_day THEN 'startDate'
    WHEN end_date < first_day OR end_date > last_day THEN 'endDate'
  END
$$;`,
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
  EXECUTE FUNCTION point_target();`,
  `-- The coverage of one record. Without OFFSET a join would read the spans of all records.
CREATE OR REPLACE FUNCTION record_coverage(of_resource text, of_id uuid, on_day date)
RETURNS TABLE (resource text, record_id uuid, kind text, source text, source_id uuid, source_name text, vendor_id uuid, first_day date, last_day date, is_active boolean, is_draft boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT s.resource, s.record_id, s.kind, s.source, s.source_id, s.source_name, s.vendor_id, s.first_day, s.last_day, s.is_active, s.is_draft
  FROM coverage_spans(on_day) s WHERE s.resource = of_resource AND s.record_id = of_id OFFSET 0
$$;`,
];

const down = [
  `DROP TRIGGER contract_coverage_days ON contract_coverage`,
  `DROP FUNCTION contract_coverage_days()`,
  `DROP TRIGGER contracts_coverage ON contracts`,
  `DROP FUNCTION contracts_coverage()`,
  `DROP FUNCTION record_coverage(text,uuid,date)`,
  `DROP FUNCTION coverage_spans(date)`,
  `DROP FUNCTION day_outside(date,date,date,date)`,
  `DROP TRIGGER sla_coverage_point ON sla_coverage`,
  `DROP TRIGGER contract_coverage_point ON contract_coverage`,
  `DELETE FROM record_counts WHERE table_name = 'sla_coverage'`,
  `DELETE FROM value_counts WHERE table_name = 'sla_coverage'`,
  `DELETE FROM record_counts WHERE table_name = 'contract_coverage'`,
  `DELETE FROM value_counts WHERE table_name = 'contract_coverage'`,
  `ALTER TABLE "sla_coverage" DROP CONSTRAINT "fk_sla_coverage_sla_id"`,
  `ALTER TABLE "sla_coverage" DROP CONSTRAINT "fk_sla_coverage_software_licence_id"`,
  `ALTER TABLE "sla_coverage" DROP CONSTRAINT "fk_sla_coverage_asset_id"`,
  `ALTER TABLE "sla_coverage" DROP CONSTRAINT "fk_sla_coverage_circuit_id"`,
  `ALTER TABLE "sla_coverage" DROP CONSTRAINT "fk_sla_coverage_virtual_machine_id"`,
  `ALTER TABLE "sla_coverage" DROP CONSTRAINT "fk_sla_coverage_cluster_id"`,
  `ALTER TABLE "sla_coverage" DROP CONSTRAINT "fk_sla_coverage_device_id"`,
  `ALTER TABLE "sla_coverage" DROP CONSTRAINT "fk_sla_coverage_rack_id"`,
  `ALTER TABLE "sla_coverage" DROP CONSTRAINT "fk_sla_coverage_site_id"`,
  `ALTER TABLE "contract_coverage" DROP CONSTRAINT "fk_contract_coverage_contract_id"`,
  `ALTER TABLE "contract_coverage" DROP CONSTRAINT "fk_contract_coverage_software_licence_id"`,
  `ALTER TABLE "contract_coverage" DROP CONSTRAINT "fk_contract_coverage_asset_id"`,
  `ALTER TABLE "contract_coverage" DROP CONSTRAINT "fk_contract_coverage_circuit_id"`,
  `ALTER TABLE "contract_coverage" DROP CONSTRAINT "fk_contract_coverage_virtual_machine_id"`,
  `ALTER TABLE "contract_coverage" DROP CONSTRAINT "fk_contract_coverage_cluster_id"`,
  `ALTER TABLE "contract_coverage" DROP CONSTRAINT "fk_contract_coverage_device_id"`,
  `ALTER TABLE "contract_coverage" DROP CONSTRAINT "fk_contract_coverage_rack_id"`,
  `ALTER TABLE "contract_coverage" DROP CONSTRAINT "fk_contract_coverage_site_id"`,
  `DROP INDEX "public"."ix_sla_coverage_sla_id"`,
  `DROP INDEX "public"."ix_sla_coverage_software_licence_id"`,
  `DROP INDEX "public"."ix_sla_coverage_asset_id"`,
  `DROP INDEX "public"."ix_sla_coverage_circuit_id"`,
  `DROP INDEX "public"."ix_sla_coverage_virtual_machine_id"`,
  `DROP INDEX "public"."ix_sla_coverage_cluster_id"`,
  `DROP INDEX "public"."ix_sla_coverage_device_id"`,
  `DROP INDEX "public"."ix_sla_coverage_rack_id"`,
  `DROP INDEX "public"."ix_sla_coverage_site_id"`,
  `DROP INDEX "public"."ix_sla_coverage_created_at_id"`,
  `DROP TABLE "sla_coverage"`,
  `DROP INDEX "public"."ix_contract_coverage_contract_id"`,
  `DROP INDEX "public"."ix_contract_coverage_software_licence_id"`,
  `DROP INDEX "public"."ix_contract_coverage_asset_id"`,
  `DROP INDEX "public"."ix_contract_coverage_circuit_id"`,
  `DROP INDEX "public"."ix_contract_coverage_virtual_machine_id"`,
  `DROP INDEX "public"."ix_contract_coverage_cluster_id"`,
  `DROP INDEX "public"."ix_contract_coverage_device_id"`,
  `DROP INDEX "public"."ix_contract_coverage_rack_id"`,
  `DROP INDEX "public"."ix_contract_coverage_site_id"`,
  `DROP INDEX "public"."ix_contract_coverage_created_at_id"`,
  `DROP TABLE "contract_coverage"`,
];

export class Coverage1795700000032 implements MigrationInterface {
  readonly name = 'Coverage1795700000032';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
