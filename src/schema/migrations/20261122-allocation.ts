import { SqlMigration } from './sql-migration.js';

const NO_VRF = '00000000-0000-0000-0000-000000000000';
const spaceOf = (vrf: string): string => `coalesce(${vrf}, '${NO_VRF}')`;
const hostOf = (address: string): string =>
  `set_masklen(${address}, CASE family(${address}) WHEN 4 THEN 32 ELSE 128 END)`;
const blockOf = (address: string): string =>
  `network(set_masklen(${address}, CASE family(${address}) WHEN 4 THEN 24 ELSE 120 END))`;

/*
 * The lowest `wanted` hosts from `lowest` to `highest` that no address of the space has. Full blocks are skipped by their
 * kept number, so that at most the addresses of one block are read in vain.
 */
const freeHosts = `CREATE FUNCTION free_hosts(of_space uuid, lowest inet, highest inet, wanted int) RETURNS SETOF inet
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET enable_hashagg = off AS $$
DECLARE
  free inet := lowest;
  remaining int := wanted;
  taken record;
  used inet;
  block_end inet;
BEGIN
  FOR taken IN SELECT b.block, sum(b.hosts) AS hosts FROM address_blocks b
      WHERE b.space = of_space AND masklen(b.block) = CASE family(lowest) WHEN 4 THEN 24 ELSE 120 END
        AND b.block BETWEEN ${blockOf('lowest')} AND ${blockOf('highest')}
      GROUP BY b.block ORDER BY b.block LOOP
    WHILE remaining > 0 AND free < ${hostOf('taken.block::inet')} LOOP
      RETURN NEXT free;
      free := free + 1;
      remaining := remaining - 1;
    END LOOP;
    EXIT WHEN remaining = 0;
    block_end := least(${hostOf('broadcast(taken.block)')}, highest);
    IF taken.hosts < 256 THEN
      FOR used IN SELECT h.host FROM address_hosts h
          WHERE h.space = of_space AND h.host BETWEEN free AND block_end ORDER BY h.host LOOP
        WHILE remaining > 0 AND free < used LOOP
          RETURN NEXT free;
          free := free + 1;
          remaining := remaining - 1;
        END LOOP;
        IF remaining = 0 OR used = highest THEN
          RETURN;
        END IF;
        free := used + 1;
      END LOOP;
      WHILE remaining > 0 AND free <= block_end LOOP
        RETURN NEXT free;
        IF free = highest THEN
          RETURN;
        END IF;
        free := free + 1;
        remaining := remaining - 1;
      END LOOP;
    ELSIF block_end = highest THEN
      RETURN;
    ELSE
      free := block_end + 1;
    END IF;
    EXIT WHEN remaining = 0;
  END LOOP;
  WHILE remaining > 0 LOOP
    RETURN NEXT free;
    EXIT WHEN free = highest;
    free := free + 1;
    remaining := remaining - 1;
  END LOOP;
END
$$`;

/*
 * The lowest `wanted` networks inside a network that overlap no prefix of the space: of one length, or without a length
 * as large as possible. In the order of the index a prefix is followed by all that it contains, which is skipped.
 */
const freeNetworks = `CREATE FUNCTION free_networks(of_space uuid, within cidr, of_length int, wanted int) RETURNS SETOF cidr
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  bits int := CASE family(within) WHEN 4 THEN 32 ELSE 128 END;
  highest inet := set_masklen(broadcast(within), bits);
  host inet := set_masklen(within::inet, bits);
  previous cidr := within;
  remaining int := wanted;
  child_space uuid;
  child cidr;
  gap_end inet;
  candidate inet;
  free cidr;
BEGIN
  LOOP
    -- One step in the unique index, which no other index offers for a comparison of pairs.
    SELECT ${spaceOf('p.vrf_id')}, p.prefix INTO child_space, child FROM prefixes p
      WHERE (${spaceOf('p.vrf_id')}, p.prefix) > (of_space, previous) ORDER BY ${spaceOf('p.vrf_id')}, p.prefix LIMIT 1;
    -- The last free address before the next child; null if there is none.
    IF child_space = of_space AND child << within THEN
      gap_end := CASE WHEN host < set_masklen(child::inet, bits) THEN set_masklen(child::inet, bits) - 1 END;
    ELSE
      child := NULL;
      gap_end := highest;
    END IF;
    WHILE host <= gap_end LOOP
      IF remaining = 0 THEN
        RETURN;
      END IF;
      free := NULL;
      IF of_length IS NULL THEN
        FOR length IN masklen(within) .. bits LOOP
          candidate := set_masklen(host, length);
          IF set_masklen(network(candidate)::inet, bits) = host AND set_masklen(broadcast(candidate), bits) <= gap_end THEN
            free := network(candidate);
            EXIT;
          END IF;
        END LOOP;
      ELSE
        candidate := set_masklen(host, of_length);
        IF set_masklen(network(candidate)::inet, bits) < host THEN
          EXIT WHEN set_masklen(broadcast(candidate), bits) >= gap_end;
          candidate := set_masklen(set_masklen(broadcast(candidate), bits) + 1, of_length);
        END IF;
        IF set_masklen(broadcast(candidate), bits) <= gap_end THEN
          free := network(candidate);
        END IF;
      END IF;
      EXIT WHEN free IS NULL;
      RETURN NEXT free;
      remaining := remaining - 1;
      IF set_masklen(broadcast(free), bits) = highest THEN
        RETURN;
      END IF;
      host := set_masklen(broadcast(free), bits) + 1;
    END LOOP;
    IF child IS NULL OR remaining = 0 OR set_masklen(broadcast(child), bits) = highest THEN
      RETURN;
    END IF;
    previous := set_masklen(broadcast(child), bits)::cidr;
    host := set_masklen(broadcast(child), bits) + 1;
  END LOOP;
END
$$`;

/*
 * Claims the lowest `wanted` free hosts for the transaction, by creating their rows: all of them or, if there are too few,
 * none. Transactions that claim one host each do not wait for one another: one that another is claiming is passed over,
 * and waited for only if there is no other. A transaction that claims several waits for all who claim in the space.
 */
const claimHosts = `CREATE FUNCTION claim_hosts(of_space uuid, lowest inet, highest inet, wanted int) RETURNS SETOF inet
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  space_key bigint := uuid_hash_extended(of_space, 1795344000003);
  claimed inet[] := '{}';
  candidate inet;
  host_key bigint;
  start inet;
BEGIN
  IF wanted = 1 THEN
    PERFORM pg_advisory_xact_lock_shared(space_key);
  ELSE
    PERFORM pg_advisory_xact_lock(space_key);
  END IF;
  FOR patient IN 0 .. 1 LOOP
    start := lowest;
    LOOP
      candidate := NULL;
      FOR candidate IN SELECT * FROM free_hosts(of_space, start, highest, wanted + 15) LOOP
        IF wanted = 1 THEN
          host_key := hashinetextended(candidate, space_key);
          IF patient = 1 THEN
            PERFORM pg_advisory_xact_lock(host_key);
          ELSIF NOT pg_try_advisory_xact_lock(host_key) THEN
            CONTINUE;
          END IF;
        END IF;
        INSERT INTO address_hosts VALUES (of_space, candidate, 0, 0) ON CONFLICT DO NOTHING;
        IF FOUND THEN
          claimed := claimed || candidate;
          IF cardinality(claimed) = wanted THEN
            RETURN QUERY SELECT unnest(claimed);
            RETURN;
          END IF;
        END IF;
      END LOOP;
      EXIT WHEN candidate IS NULL OR candidate = highest;
      start := candidate + 1;
    END LOOP;
  END LOOP;
  DELETE FROM address_hosts h WHERE h.space = of_space AND h.host = ANY (claimed);
END
$$`;

/*
 * Who creates or moves a prefix shares the lock of its space, which an allocation of prefixes holds alone.
 */
const prefixLock = [
  `CREATE FUNCTION prefix_space_lock(space uuid) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS $$ SELECT hashtextextended('prefix space ' || space, 0) $$`,
  `CREATE FUNCTION share_prefix_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(prefix_space_lock(${spaceOf('NEW.vrf_id')}));
  RETURN NEW;
END
$$`,
  `CREATE TRIGGER prefixes_space BEFORE INSERT OR UPDATE OF prefix, vrf_id ON prefixes
    FOR EACH ROW EXECUTE FUNCTION share_prefix_space()`,
];

const up = [freeHosts, claimHosts, freeNetworks, ...prefixLock];

const down = [
  'DROP TRIGGER prefixes_space ON prefixes',
  'DROP FUNCTION share_prefix_space()',
  'DROP FUNCTION prefix_space_lock(uuid)',
  'DROP FUNCTION free_networks(uuid, cidr, int, int)',
  'DROP FUNCTION claim_hosts(uuid, inet, inet, int)',
  'DROP FUNCTION free_hosts(uuid, inet, inet, int)',
];

export class Allocation1795344000003 extends SqlMigration {
  readonly name = 'Allocation1795344000003';
  protected readonly statements = { up, down };
}
