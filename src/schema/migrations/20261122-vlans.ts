import { trackRecords, untrackRecords } from './record-table.js';
import { SqlMigration } from './sql-migration.js';

/*
 * The vid of a VLAN is within the range of its group. The lock makes a VLAN wait for a change of that range, and for the
 * allocation of free vids, which holds the group.
 */
const vlansRange = [
  `CREATE FUNCTION vlans_range() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lowest int;
  highest int;
BEGIN
  SELECT coalesce(min_vid, 1), coalesce(max_vid, 4094) INTO lowest, highest
    FROM vlan_groups WHERE id = NEW.vlan_group_id FOR SHARE;
  IF FOUND AND NEW.vid NOT BETWEEN lowest AND highest THEN
    RAISE EXCEPTION 'vid is outside the range of the VLAN group'
      USING ERRCODE = 'check_violation', TABLE = 'vlans', CONSTRAINT = 'ck_vlans_range';
  END IF;
  RETURN NEW;
END
$$`,
  `CREATE TRIGGER vlans_range BEFORE INSERT OR UPDATE OF vid, vlan_group_id ON vlans
  FOR EACH ROW WHEN (NEW.vlan_group_id IS NOT NULL) EXECUTE FUNCTION vlans_range()`,
];

/* A range does not exclude a VLAN of the group. */
const groupsRange = [
  `CREATE FUNCTION vlan_groups_range() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM vlans WHERE vlan_group_id = NEW.id
      AND vid NOT BETWEEN coalesce(NEW.min_vid, 1) AND coalesce(NEW.max_vid, 4094)) THEN
    RAISE EXCEPTION 'the range of the VLAN group excludes one of its VLANs'
      USING ERRCODE = 'unique_violation', TABLE = 'vlan_groups', CONSTRAINT = 'uq_vlan_groups_range';
  END IF;
  RETURN NULL;
END
$$`,
  `CREATE TRIGGER vlan_groups_range AFTER UPDATE OF min_vid, max_vid ON vlan_groups
  FOR EACH ROW WHEN ((OLD.min_vid, OLD.max_vid) IS DISTINCT FROM (NEW.min_vid, NEW.max_vid))
  EXECUTE FUNCTION vlan_groups_range()`,
];

const up = [
  `CREATE TABLE "vlan_groups" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "name" character varying(255) NOT NULL, "site_id" uuid, "min_vid" integer, "max_vid" integer, "description" text, CONSTRAINT "ck_min_vid" CHECK ("min_vid" >= 1 AND "min_vid" <= 4094), CONSTRAINT "ck_max_vid" CHECK ("max_vid" >= 1 AND "max_vid" <= 4094), CONSTRAINT "ck_vlan_groups_range" CHECK (max_vid >= min_vid), CONSTRAINT "pk_vlan_groups" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_vlan_groups_created_at_id" ON "vlan_groups"  ("created_at", "id") `,
  `CREATE INDEX "ix_vlan_groups_site_id" ON "vlan_groups"  ("site_id") `,
  `CREATE TABLE "vlans" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "vid" integer NOT NULL, "name" character varying(255) NOT NULL, "vlan_group_id" uuid, "site_id" uuid, "tenant_group_id" uuid, "status" character varying(255) NOT NULL DEFAULT 'active', "role" character varying(255), "description" text, CONSTRAINT "ck_vid" CHECK ("vid" >= 1 AND "vid" <= 4094), CONSTRAINT "pk_vlans" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_vlans_created_at_id" ON "vlans"  ("created_at", "id") `,
  `CREATE INDEX "ix_vlans_vlan_group_id" ON "vlans"  ("vlan_group_id") `,
  `CREATE INDEX "ix_vlans_site_id" ON "vlans"  ("site_id") `,
  `CREATE INDEX "ix_vlans_tenant_group_id" ON "vlans"  ("tenant_group_id") `,
  `CREATE UNIQUE INDEX "ix_vlans_vlan_group_id_vid" ON "vlans"  ("vlan_group_id", "vid") `,
  `ALTER TABLE "vlan_groups" ADD CONSTRAINT "fk_vlan_groups_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "vlans" ADD CONSTRAINT "fk_vlans_vlan_group_id" FOREIGN KEY ("vlan_group_id") REFERENCES "vlan_groups"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "vlans" ADD CONSTRAINT "fk_vlans_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "vlans" ADD CONSTRAINT "fk_vlans_tenant_group_id" FOREIGN KEY ("tenant_group_id") REFERENCES "tenant_groups"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  ...trackRecords('vlan_groups', { area: 'network', list: { lines: ['name'], texts: ['description'] } }),
  ...trackRecords('vlans', { area: 'network', list: { lines: ['name'], texts: ['description'] } }),
  ...vlansRange,
  ...groupsRange,
];

const down = [
  ...untrackRecords('vlan_groups'),
  ...untrackRecords('vlans'),
  `ALTER TABLE "vlans" DROP CONSTRAINT "fk_vlans_tenant_group_id"`,
  `ALTER TABLE "vlans" DROP CONSTRAINT "fk_vlans_site_id"`,
  `ALTER TABLE "vlans" DROP CONSTRAINT "fk_vlans_vlan_group_id"`,
  `ALTER TABLE "vlan_groups" DROP CONSTRAINT "fk_vlan_groups_site_id"`,
  `DROP INDEX "public"."ix_vlans_vlan_group_id_vid"`,
  `DROP INDEX "public"."ix_vlans_tenant_group_id"`,
  `DROP INDEX "public"."ix_vlans_site_id"`,
  `DROP INDEX "public"."ix_vlans_vlan_group_id"`,
  `DROP INDEX "public"."ix_vlans_created_at_id"`,
  `DROP TABLE "vlans"`,
  `DROP INDEX "public"."ix_vlan_groups_site_id"`,
  `DROP INDEX "public"."ix_vlan_groups_created_at_id"`,
  `DROP TABLE "vlan_groups"`,
  'DROP FUNCTION vlan_groups_range()',
  'DROP FUNCTION vlans_range()',
];

export class Vlans1795344000000 extends SqlMigration {
  readonly name = 'Vlans1795344000000';
  protected readonly statements = { up, down };
}
