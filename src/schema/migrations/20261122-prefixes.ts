import { trackRecords, untrackRecords } from './record-table.js';
import { SqlMigration } from './sql-migration.js';

const NO_VRF = '00000000-0000-0000-0000-000000000000';
const spaceOf = (vrf: string): string => `coalesce(${vrf}, '${NO_VRF}')`;

const prefixIndexes = [
  // A prefix stands once in a VRF, and no VRF is a space of its own. Parents and children are looked up in this index.
  `CREATE UNIQUE INDEX uq_prefixes_space ON prefixes (${spaceOf('vrf_id')}, prefix)`,
  // The native order of networks without host bits: each is followed by those in it.
  'CREATE INDEX ix_prefixes_prefix_order ON prefixes (prefix, id)',
  // The filters `within` and `contains`.
  'CREATE INDEX ix_prefixes_prefix_within ON prefixes USING gist (prefix inet_ops)',
];

const up = [
  `CREATE TABLE "prefixes" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "prefix" cidr NOT NULL, "vrf_id" uuid, "site_id" uuid, "vlan_id" uuid, "tenant_group_id" uuid, "status" character varying(255) NOT NULL DEFAULT 'active', "role" character varying(255), "is_pool" boolean NOT NULL DEFAULT false, "description" text, CONSTRAINT "pk_prefixes" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_prefixes_created_at_id" ON "prefixes"  ("created_at", "id") `,
  `CREATE INDEX "ix_prefixes_vrf_id" ON "prefixes"  ("vrf_id") `,
  `CREATE INDEX "ix_prefixes_site_id" ON "prefixes"  ("site_id") `,
  `CREATE INDEX "ix_prefixes_vlan_id" ON "prefixes"  ("vlan_id") `,
  `CREATE INDEX "ix_prefixes_tenant_group_id" ON "prefixes"  ("tenant_group_id") `,
  `ALTER TABLE "prefixes" ADD CONSTRAINT "fk_prefixes_vrf_id" FOREIGN KEY ("vrf_id") REFERENCES "vrfs"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "prefixes" ADD CONSTRAINT "fk_prefixes_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "prefixes" ADD CONSTRAINT "fk_prefixes_vlan_id" FOREIGN KEY ("vlan_id") REFERENCES "vlans"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "prefixes" ADD CONSTRAINT "fk_prefixes_tenant_group_id" FOREIGN KEY ("tenant_group_id") REFERENCES "tenant_groups"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  ...trackRecords('prefixes', {
    area: 'network',
    name: 'prefix',
    list: { lines: [], texts: ['(prefix::text)', 'description'] },
  }),
  ...prefixIndexes,
];

const down = [
  ...untrackRecords('prefixes'),
  `ALTER TABLE "prefixes" DROP CONSTRAINT "fk_prefixes_tenant_group_id"`,
  `ALTER TABLE "prefixes" DROP CONSTRAINT "fk_prefixes_vlan_id"`,
  `ALTER TABLE "prefixes" DROP CONSTRAINT "fk_prefixes_site_id"`,
  `ALTER TABLE "prefixes" DROP CONSTRAINT "fk_prefixes_vrf_id"`,
  `DROP INDEX "public"."ix_prefixes_tenant_group_id"`,
  `DROP INDEX "public"."ix_prefixes_vlan_id"`,
  `DROP INDEX "public"."ix_prefixes_site_id"`,
  `DROP INDEX "public"."ix_prefixes_vrf_id"`,
  `DROP INDEX "public"."ix_prefixes_created_at_id"`,
  `DROP TABLE "prefixes"`,
];

export class Prefixes1795344000001 extends SqlMigration {
  readonly name = 'Prefixes1795344000001';
  protected readonly statements = { up, down };
}
