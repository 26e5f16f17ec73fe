import { SqlMigration } from './sql-migration.js';

const SPACE = "coalesce(vrf_id, '00000000-0000-0000-0000-000000000000')";
const HOST = 'set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 128 END)';
/** The blocks that a host is counted in: 256 addresses, and 65,536 of IPv4 or a /64 of IPv6. */
const blocksOf = (host: string): string => `ARRAY[
      network(set_masklen(${host}, CASE family(${host}) WHEN 4 THEN 24 ELSE 120 END)),
      network(set_masklen(${host}, CASE family(${host}) WHEN 4 THEN 16 ELSE 64 END))
    ]`;

/** What a change of a host's number of addresses adds to the number of hosts: a host that has all of them from it is new. */
const changeOfHosts = (now: string, change: string): string =>
  `CASE ${now} WHEN 0 THEN -1 WHEN ${change} THEN 1 ELSE 0 END`;

/** 1 for an address whose host may stand once where uniqueness is enforced, 0 for one that several ports share. */
const ALONE = `(coalesce(role, '') NOT IN ('anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp'))::int`;

/** Arrays of the hosts that a statement changed, with the change of their numbers, in the order of the primary key. */
const changedHosts = (
  rows: string,
): string => `SELECT array_agg(space), array_agg(host), array_agg(times), array_agg(alone)
      INTO spaces, hosts, more_times, more_alone FROM (
        SELECT space, host, sum(times)::int AS times, sum(alone)::int AS alone FROM (${rows}) touched
          GROUP BY space, host HAVING sum(times) <> 0 OR sum(alone) <> 0 ORDER BY space, host
      ) changed`;
const rowsOf = (table: string, sign: '' | '-'): string =>
  `SELECT ${SPACE} AS space, ${HOST} AS host, ${sign}1 AS times, ${sign}${ALONE} AS alone FROM ${table}`;

const tables = [
  /*
   * The hosts that an address space has: how many addresses each has (`times`), and how many of them may not stand beside
   * another (`alone`). Writers of one host take turns at its row. Allocation claims a host by creating its row.
   */
  `CREATE TABLE address_hosts (
    space uuid NOT NULL,
    host inet NOT NULL,
    times int NOT NULL,
    alone int NOT NULL,
    CONSTRAINT pk_address_hosts PRIMARY KEY (space, host)
  )`,
  /*
   * The number of hosts in the small and large blocks of an address space, so that neither the utilisation of a prefix nor its
   * first free address reads every host in it. A block can have several rows, which are added up: a writer takes one that
   * no other writer holds, and never waits.
   */
  `CREATE TABLE address_blocks (
    id bigint GENERATED ALWAYS AS IDENTITY,
    space uuid NOT NULL,
    block cidr NOT NULL,
    hosts int NOT NULL,
    CONSTRAINT pk_address_blocks PRIMARY KEY (id)
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX ix_address_blocks_space_block ON address_blocks (space, masklen(block), block)',
];

/*
 * The plans of a function are kept, and those that were made for an empty table would read all of a large one:
 * `enable_seqscan` is off.
 */
const keepHosts = `CREATE FUNCTION keep_hosts() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  spaces uuid[];
  hosts inet[];
  more_times int[];
  more_alone int[];
  block_spaces uuid[];
  blocks cidr[];
  more_hosts int[];
  repeated uuid[];
  now_times int;
  now_alone int;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM address_hosts;
    DELETE FROM address_blocks;
    RETURN NULL;
  ELSIF TG_OP = 'INSERT' THEN
    ${changedHosts(rowsOf('new_rows', ''))};
  ELSIF TG_OP = 'DELETE' THEN
    ${changedHosts(rowsOf('old_rows', '-'))};
  ELSE
    ${changedHosts(`${rowsOf('new_rows', '')} UNION ALL ${rowsOf('old_rows', '-')}`)};
  END IF;
  IF spaces IS NULL THEN
    RETURN NULL;
  END IF;

  IF cardinality(spaces) = 1 THEN
    -- The same as below for one host, in half the time.
    INSERT INTO address_hosts AS h (space, host, times, alone)
      VALUES (spaces[1], hosts[1], more_times[1], more_alone[1])
      ON CONFLICT ON CONSTRAINT pk_address_hosts
      DO UPDATE SET times = h.times + excluded.times, alone = h.alone + excluded.alone
      RETURNING h.times, h.alone INTO now_times, now_alone;
    blocks := ${blocksOf('hosts[1]')};
    block_spaces := spaces || spaces;
    more_hosts := array_fill(${changeOfHosts('now_times', 'more_times[1]')}, ARRAY[2]);
    IF now_alone > 1 AND more_alone[1] > 0 THEN
      repeated := spaces;
    END IF;
  ELSE
    WITH changed AS (
      SELECT * FROM unnest(spaces, hosts, more_times, more_alone) changed (space, host, times, alone)
    ), written AS (
      INSERT INTO address_hosts AS h (space, host, times, alone) SELECT * FROM changed
        ON CONFLICT ON CONSTRAINT pk_address_hosts
        DO UPDATE SET times = h.times + excluded.times, alone = h.alone + excluded.alone
        RETURNING h.*
    )
    SELECT array_agg(space), array_agg(block), array_agg(change), array_agg(space) FILTER (WHERE is_repeated)
      INTO block_spaces, blocks, more_hosts, repeated FROM (
        SELECT w.space, block, bool_or(w.alone > 1 AND c.alone > 0) AS is_repeated,
              sum(${changeOfHosts('w.times', 'c.times')})::int AS change
          FROM written w JOIN changed c ON c.space = w.space AND c.host = w.host
          CROSS JOIN LATERAL unnest(${blocksOf('w.host')}) block GROUP BY 1, 2
      ) touched WHERE change <> 0 OR is_repeated;
  END IF;

  -- Who switches \`enforce_unique\` on waits for this lock, or has let go of it.
  IF repeated IS NOT NULL AND true = ANY (ARRAY(
    SELECT enforce_unique FROM vrfs WHERE id = ANY (repeated) ORDER BY id FOR SHARE
  )) THEN
    RAISE EXCEPTION 'a host is recorded in the VRF already'
      USING ERRCODE = 'unique_violation', TABLE = 'ip_addresses', CONSTRAINT = 'uq_ip_addresses_vrf_host';
  END IF;

  FOR i IN 1 .. coalesce(cardinality(blocks), 0) LOOP
    CONTINUE WHEN more_hosts[i] = 0;
    UPDATE address_blocks b SET hosts = b.hosts + more_hosts[i] WHERE b.id = (
      SELECT b.id FROM address_blocks b
        WHERE b.space = block_spaces[i] AND masklen(b.block) = masklen(blocks[i]) AND b.block = blocks[i]
        LIMIT 1 FOR UPDATE SKIP LOCKED
    );
    IF NOT FOUND THEN
      INSERT INTO address_blocks (space, block, hosts) VALUES (block_spaces[i], blocks[i], more_hosts[i]);
    END IF;
  END LOOP;
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM address_hosts h USING unnest(spaces, hosts) t (space, host)
      WHERE h.space = t.space AND h.host = t.host AND h.times = 0;
    DELETE FROM address_blocks WHERE id IN (
      SELECT b.id FROM unnest(block_spaces, blocks) t (space, block)
        JOIN address_blocks b ON b.space = t.space AND masklen(b.block) = masklen(t.block) AND b.block = t.block
        WHERE b.hosts = 0 FOR UPDATE OF b SKIP LOCKED
    );
  END IF;
  RETURN NULL;
END
$$`;

const checkVrf = `CREATE FUNCTION check_enforce_unique() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM address_hosts WHERE space = NEW.id AND alone > 1) THEN
    RAISE EXCEPTION 'a host is recorded more than once in the VRF'
      USING ERRCODE = 'unique_violation', TABLE = 'vrfs', CONSTRAINT = 'uq_vrfs_enforce_unique';
  END IF;
  RETURN NULL;
END
$$`;

const up = [
  'ALTER TABLE "vrfs" ADD "enforce_unique" boolean NOT NULL DEFAULT false',
  ...tables,
  `INSERT INTO address_hosts SELECT space, host, count(*), sum(alone) FROM (${rowsOf('ip_addresses', '')}) a GROUP BY 1, 2`,
  `INSERT INTO address_blocks (space, block, hosts)
    SELECT space, block, count(*) FROM address_hosts CROSS JOIN LATERAL unnest(${blocksOf('host')}) block GROUP BY 1, 2`,
  keepHosts,
  `CREATE TRIGGER ip_addresses_hosts_insert AFTER INSERT ON ip_addresses REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION keep_hosts()`,
  `CREATE TRIGGER ip_addresses_hosts_update AFTER UPDATE ON ip_addresses
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_hosts()`,
  `CREATE TRIGGER ip_addresses_hosts_delete AFTER DELETE ON ip_addresses REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION keep_hosts()`,
  `CREATE TRIGGER ip_addresses_hosts_truncate AFTER TRUNCATE ON ip_addresses
    FOR EACH STATEMENT EXECUTE FUNCTION keep_hosts()`,
  checkVrf,
  `CREATE TRIGGER vrfs_enforce_unique AFTER UPDATE OF enforce_unique ON vrfs
    FOR EACH ROW WHEN (NEW.enforce_unique AND NOT OLD.enforce_unique) EXECUTE FUNCTION check_enforce_unique()`,
];

const down = [
  'DROP TRIGGER vrfs_enforce_unique ON vrfs',
  'DROP FUNCTION check_enforce_unique()',
  ...['insert', 'update', 'delete', 'truncate'].map(
    (event) => `DROP TRIGGER ip_addresses_hosts_${event} ON ip_addresses`,
  ),
  'DROP FUNCTION keep_hosts()',
  'DROP TABLE address_blocks',
  'DROP TABLE address_hosts',
  'ALTER TABLE "vrfs" DROP COLUMN "enforce_unique"',
];

export class AddressHosts1795344000002 extends SqlMigration {
  readonly name = 'AddressHosts1795344000002';
  protected readonly statements = { up, down };
}
