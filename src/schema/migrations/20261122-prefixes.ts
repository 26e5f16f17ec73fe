import { trackRecords, untrackRecords } from './record-table.js';
import { SqlMigration } from './sql-migration.js';

const NO_VRF = '00000000-0000-0000-0000-000000000000';
const spaceOf = (vrf: string): string => `coalesce(${vrf}, '${NO_VRF}')`;
const hostOf = (address: string): string =>
  `set_masklen(${address}, CASE family(${address}) WHEN 4 THEN 32 ELSE 128 END)`;
const blockOf = (address: string): string =>
  `network(set_masklen(${address}, CASE family(${address}) WHEN 4 THEN 24 ELSE 120 END))`;

const prefixIndexes = [
  // A prefix stands once in a VRF, and no VRF is a space of its own. Parents and children are looked up in this index.
  `CREATE UNIQUE INDEX uq_prefixes_space ON prefixes (${spaceOf('vrf_id')}, prefix)`,
  // The native order of networks without host bits: each is followed by those in it.
  'CREATE INDEX ix_prefixes_prefix_order ON prefixes (prefix, id)',
  // The filters `within` and `contains`.
  'CREATE INDEX ix_prefixes_prefix_within ON prefixes USING gist (prefix inet_ops)',
];

/*
 * The number of distinct hosts in each block of 256 addresses of an address space, so that neither the utilisation of a
 * prefix nor its first free address reads every address in it.
 *
 * Writers of a block take turns: each locks it before it looks which hosts are recorded besides the rows that it wrote.
 * They share the lock of their address space, which an allocation holds alone.
 *
 * The plans of a function are kept, and those that were made for an empty table would read all of a large one:
 * `enable_seqscan` is off.
 */
const blocks = [
  `CREATE INDEX ix_ip_addresses_space_host ON ip_addresses ((${spaceOf('vrf_id')}), (${hostOf('address')}))`,
  `CREATE TABLE address_blocks (
    space uuid NOT NULL,
    block cidr NOT NULL,
    hosts int NOT NULL,
    CONSTRAINT pk_address_blocks PRIMARY KEY (space, block)
  ) WITH (fillfactor = 70)`,
  `CREATE FUNCTION address_space_lock(space uuid) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS $$ SELECT hashtextextended('address space ' || space, 0) $$`,
  `CREATE FUNCTION count_hosts() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  ids uuid[];
  all_spaces uuid[];
  all_hosts inet[];
  recorded boolean[];
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM address_blocks;
    RETURN NULL;
  ELSIF TG_OP = 'INSERT' THEN
    SELECT array_agg(id), array_agg(${spaceOf('vrf_id')}), array_agg(${hostOf('address')}), array_agg(true)
      INTO ids, all_spaces, all_hosts, recorded FROM new_rows;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(id), array_agg(${spaceOf('vrf_id')}), array_agg(${hostOf('address')}), array_agg(false)
      INTO ids, all_spaces, all_hosts, recorded FROM old_rows;
  ELSE
    WITH moved AS (
      SELECT o.id AS old_id, o.vrf_id AS old_vrf, o.address AS old_address,
          n.id AS new_id, n.vrf_id AS new_vrf, n.address AS new_address
        FROM old_rows o FULL JOIN new_rows n ON n.id = o.id
        WHERE (o.address, o.vrf_id) IS DISTINCT FROM (n.address, n.vrf_id)
    ), touched AS (
      SELECT old_id AS id, old_vrf AS vrf_id, old_address AS address, false AS is_new FROM moved WHERE old_id IS NOT NULL
      UNION ALL SELECT new_id, new_vrf, new_address, true FROM moved WHERE new_id IS NOT NULL
    )
    SELECT array_agg(id), array_agg(${spaceOf('vrf_id')}), array_agg(${hostOf('address')}), array_agg(is_new)
      INTO ids, all_spaces, all_hosts, recorded FROM touched;
  END IF;
  IF ids IS NULL THEN
    RETURN NULL;
  END IF;

  PERFORM pg_advisory_xact_lock_shared(address_space_lock(space))
    FROM (SELECT DISTINCT space FROM unnest(all_spaces) space ORDER BY space) touched;
  INSERT INTO address_blocks AS b (space, block, hosts)
    SELECT DISTINCT space, ${blockOf('host')} AS block, 0 FROM unnest(all_spaces, all_hosts) touched (space, host)
    ORDER BY space, block
    ON CONFLICT ON CONSTRAINT pk_address_blocks DO UPDATE SET hosts = b.hosts;
  -- A statement of its own: it sees what those that were waited for have written.
  WITH touched AS (
    SELECT space, host, bool_or(is_new) AS is_new, bool_or(NOT is_new) AS was_old
      FROM unnest(all_spaces, all_hosts, recorded) touched (space, host, is_new) GROUP BY space, host
  ), judged AS (
    SELECT space, host, is_new, was_old, EXISTS (
      SELECT FROM ip_addresses a WHERE ${spaceOf('a.vrf_id')} = touched.space AND ${hostOf('a.address')} = touched.host
        AND a.id <> ALL (ids)
    ) AS is_elsewhere FROM touched
  ), changes AS (
    SELECT space, ${blockOf('host')} AS block, sum(is_new::int - was_old::int) AS change
      FROM judged WHERE NOT is_elsewhere AND is_new <> was_old GROUP BY 1, 2
  )
  UPDATE address_blocks b SET hosts = b.hosts + changes.change
    FROM changes WHERE b.space = changes.space AND b.block = changes.block;
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM address_blocks b USING unnest(all_spaces, all_hosts) touched (space, host)
      WHERE b.space = touched.space AND b.block = ${blockOf('touched.host')} AND b.hosts = 0;
  END IF;
  RETURN NULL;
END
$$`,
  `CREATE TRIGGER ip_addresses_hosts_insert AFTER INSERT ON ip_addresses REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_hosts()`,
  `CREATE TRIGGER ip_addresses_hosts_update AFTER UPDATE ON ip_addresses
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_hosts()`,
  `CREATE TRIGGER ip_addresses_hosts_delete AFTER DELETE ON ip_addresses REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_hosts()`,
  `CREATE TRIGGER ip_addresses_hosts_truncate AFTER TRUNCATE ON ip_addresses
    FOR EACH STATEMENT EXECUTE FUNCTION count_hosts()`,
  `INSERT INTO address_blocks
    SELECT ${spaceOf('vrf_id')}, ${blockOf('address')}, count(DISTINCT ${hostOf('address')}) FROM ip_addresses GROUP BY 1, 2`,
];

const dropBlocks = [
  ...['insert', 'update', 'delete', 'truncate'].map(
    (event) => `DROP TRIGGER ip_addresses_hosts_${event} ON ip_addresses`,
  ),
  'DROP FUNCTION count_hosts()',
  'DROP FUNCTION address_space_lock(uuid)',
  'DROP TABLE address_blocks',
  'DROP INDEX ix_ip_addresses_space_host',
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
  ...blocks,
];

const down = [
  ...dropBlocks,
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
