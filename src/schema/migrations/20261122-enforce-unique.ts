import { SqlMigration } from './sql-migration.js';

const HOST = 'set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 128 END)';
const hostOf = (alias: string): string => HOST.replaceAll('address', `${alias}.address`);
const spaceOf = (alias: string): string => `coalesce(${alias}.vrf_id, '00000000-0000-0000-0000-000000000000')`;
const blockOf = (host: string): string =>
  `network(set_masklen(${host}, CASE family(${host}) WHEN 4 THEN 24 ELSE 120 END))`;

/** Whether several addresses with the role of this row may have one host. */
const isShared = (alias: string): string =>
  `coalesce(${alias}.role, '') IN ('anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp')`;

/*
 * In a VRF that enforces it, a host stands once. Writers of a block of addresses take turns (migration `prefixes`), and
 * the lock of the VRF makes them wait for who switches it on, who in turn waits for them.
 */
const checkHosts = `CREATE FUNCTION check_unique_hosts() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  ids uuid[];
  vrf_ids uuid[];
  all_hosts inet[];
  enforcing uuid[];
  repeated inet;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(n.id), array_agg(n.vrf_id), array_agg(${hostOf('n')}) INTO ids, vrf_ids, all_hosts
      FROM new_rows n WHERE n.vrf_id IS NOT NULL AND NOT ${isShared('n')};
  ELSE
    SELECT array_agg(n.id), array_agg(n.vrf_id), array_agg(${hostOf('n')}) INTO ids, vrf_ids, all_hosts
      FROM new_rows n LEFT JOIN old_rows o ON o.id = n.id
      WHERE n.vrf_id IS NOT NULL AND NOT ${isShared('n')}
        AND (o.vrf_id, o.address, o.role) IS DISTINCT FROM (n.vrf_id, n.address, n.role);
  END IF;
  IF ids IS NULL THEN
    RETURN NULL;
  END IF;
  enforcing := ARRAY(SELECT id FROM (
    SELECT v.id, v.enforce_unique FROM vrfs v WHERE v.id = ANY (vrf_ids) ORDER BY v.id FOR SHARE
  ) vrf WHERE enforce_unique);
  IF enforcing = '{}' THEN
    RETURN NULL;
  END IF;
  -- A change of a role alone has not locked the block yet.
  PERFORM FROM address_blocks b JOIN (
    SELECT DISTINCT vrf_id, ${blockOf('host')} AS block FROM unnest(vrf_ids, all_hosts) t (vrf_id, host)
      WHERE vrf_id = ANY (enforcing)
  ) touched ON b.space = touched.vrf_id AND b.block = touched.block ORDER BY b.space, b.block FOR UPDATE OF b;
  UPDATE address_blocks b SET hosts = b.hosts FROM unnest(vrf_ids, all_hosts) t (vrf_id, host)
    WHERE t.vrf_id = ANY (enforcing) AND b.space = t.vrf_id AND b.block = ${blockOf('t.host')};
  SELECT t.host INTO repeated FROM unnest(ids, vrf_ids, all_hosts) t (id, vrf_id, host)
    WHERE t.vrf_id = ANY (enforcing) AND EXISTS (
      SELECT FROM ip_addresses a WHERE ${spaceOf('a')} = t.vrf_id AND ${hostOf('a')} = t.host AND a.id <> t.id
        AND NOT ${isShared('a')}
    ) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION '% is recorded in the VRF already', host(repeated)
      USING ERRCODE = 'unique_violation', TABLE = 'ip_addresses', CONSTRAINT = 'uq_ip_addresses_vrf_host';
  END IF;
  RETURN NULL;
END
$$`;

const checkVrf = `CREATE FUNCTION check_enforce_unique() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM ip_addresses a WHERE ${spaceOf('a')} = NEW.id AND NOT ${isShared('a')}
      GROUP BY ${hostOf('a')} HAVING count(*) > 1
  ) THEN
    RAISE EXCEPTION 'a host is recorded more than once in the VRF'
      USING ERRCODE = 'unique_violation', TABLE = 'vrfs', CONSTRAINT = 'uq_vrfs_enforce_unique';
  END IF;
  RETURN NULL;
END
$$`;

const up = [
  'ALTER TABLE "vrfs" ADD "enforce_unique" boolean NOT NULL DEFAULT false',
  checkHosts,
  // Triggers of one event run in the order of their names: these are after those that lock the blocks.
  `CREATE TRIGGER ip_addresses_unique_insert AFTER INSERT ON ip_addresses REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION check_unique_hosts()`,
  `CREATE TRIGGER ip_addresses_unique_update AFTER UPDATE ON ip_addresses
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION check_unique_hosts()`,
  checkVrf,
  `CREATE TRIGGER vrfs_enforce_unique AFTER UPDATE OF enforce_unique ON vrfs
    FOR EACH ROW WHEN (NEW.enforce_unique AND NOT OLD.enforce_unique) EXECUTE FUNCTION check_enforce_unique()`,
];

const down = [
  'DROP TRIGGER vrfs_enforce_unique ON vrfs',
  'DROP FUNCTION check_enforce_unique()',
  'DROP TRIGGER ip_addresses_unique_update ON ip_addresses',
  'DROP TRIGGER ip_addresses_unique_insert ON ip_addresses',
  'DROP FUNCTION check_unique_hosts()',
  'ALTER TABLE "vrfs" DROP COLUMN "enforce_unique"',
];

export class EnforceUnique1795344000003 extends SqlMigration {
  readonly name = 'EnforceUnique1795344000003';
  protected readonly statements = { up, down };
}
