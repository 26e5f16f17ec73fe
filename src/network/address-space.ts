import { raw, sql, type Sql } from '../database/sql.js';

/*
 * An address space is the addresses and prefixes of one VRF, or those without a VRF. `address_hosts` has the distinct hosts of each
 * space, and `address_blocks` their number in blocks of 256 addresses (`src/schema/functions/keep_hosts.sql`).
 */

export const NO_VRF = '00000000-0000-0000-0000-000000000000';

/** SQL of the address space of a row. Indexes are on the same expression. */
export const spaceOf = (alias: string): string => `coalesce(${alias}.vrf_id, '${NO_VRF}')`;

const bits = (address: string): string => `CASE family(${address}) WHEN 4 THEN 32 ELSE 128 END`;

/** SQL of an address without its prefix length. */
const hostOf = (address: string): string => `set_masklen(${address}, ${bits(address)})`;

/** SQL of the first and the last address of a network, without prefix length. */
const firstOf = (network: string): string => hostOf(`${network}::inet`);
const lastOf = (network: string): string => hostOf(`broadcast(${network})`);

const hostBits = (network: string): string => `(${bits(network)} - masklen(${network}))`;

/** SQL of the number of addresses of a network, as a whole number. */
export const sizeOf = (network: string): string => `trunc(2::numeric ^ ${hostBits(network)})`;

/** SQL of the fraction of a network's addresses that a number of hosts takes. Powers of two are exact as a float8. */
export const partOf = (hosts: string, network: string): string => `${hosts}::float8 / 2::float8 ^ ${hostBits(network)}`;

/** SQL of the number of distinct hosts that are recorded in the space and the network of a row of prefixes. */
export function usedIn(t: string): string {
  const length = `masklen(${t}.prefix)`;
  // Prefix length of the largest whole blocks of a prefix.
  const blockLength = `CASE family(${t}.prefix)
    WHEN 4 THEN CASE WHEN ${length} <= 16 THEN 16 ELSE 24 END ELSE CASE WHEN ${length} <= 64 THEN 64 ELSE 120 END END`;
  // In network order a network comes before everything in it, and its last address after.
  const inside = `BETWEEN ${t}.prefix AND ${lastOf(`${t}.prefix`)}`;
  return `(CASE WHEN ${length} <= ${blockLength}
  THEN (SELECT coalesce(sum(b.hosts), 0)::bigint FROM address_blocks b
    WHERE b.space = ${spaceOf(t)} AND masklen(b.block) = ${blockLength} AND b.block ${inside})
  ELSE (SELECT count(*) FROM address_hosts h WHERE h.space = ${spaceOf(t)} AND h.host ${inside}) END)`;
}

// Addresses outside pools that no host has: the network and the broadcast address of IPv4, and the first address of IPv6 (the anycast
// address of its routers). Links between two hosts have none of these.
const ends = (t: string, condition: string): string => `CASE WHEN NOT ${t}.is_pool AND ${condition} THEN 1 ELSE 0 END`;

/** SQL of the arguments of `free_hosts` and `claim_hosts` for a row of prefixes: the space and the usable hosts. */
export const usableHosts = (t: string): string => {
  const [length, family] = [`masklen(${t}.prefix)`, `family(${t}.prefix)`];
  return `${spaceOf(t)}, ${firstOf(`${t}.prefix`)} + ${ends(t, `${length} < CASE ${family} WHEN 4 THEN 31 ELSE 127 END`)},
    ${lastOf(`${t}.prefix`)} - ${ends(t, `${family} = 4 AND ${length} < 31`)}`;
};

/**
 * SQL of the next prefix in network order: one step in the unique index. No other index supports a comparison of pairs. It may be in
 * another space.
 */
const nextTo = (space: string, network: string, [comparison, order]: readonly [string, string]): string =>
  `(SELECT p.id, p.prefix, ${spaceOf('p')} AS space FROM prefixes p WHERE (${spaceOf('p')}, p.prefix) ${comparison} (${space}, ${network})
    ORDER BY ${spaceOf('p')} ${order}, p.prefix ${order} LIMIT 1)`;
const UP_TO = ['<=', 'DESC'] as const;
const AFTER = ['>', 'ASC'] as const;

/**
 * SQL of the id of the most specific prefix that contains a row of prefixes. In network order, everything between it and the row is inside
 * of it. The search starts at the smallest possible network. It continues at the network that contains both the found prefix and the row.
 */
export function parentOf(t: string): string {
  const length = `masklen(${t}.prefix)`;
  const smallest = `CASE WHEN ${length} > 0 THEN network(set_masklen(${t}.prefix::inet, ${length} - 1)) END`;
  const both = `CASE family(before.prefix) WHEN family(${t}.prefix) THEN inet_merge(before.prefix, ${t}.prefix) END`;
  return `(WITH RECURSIVE before AS (
    ${nextTo(spaceOf(t), smallest, UP_TO)}
    UNION ALL
    SELECT next.* FROM before CROSS JOIN LATERAL ${nextTo('before.space', both, UP_TO)} next
    WHERE before.space = ${spaceOf(t)} AND NOT before.prefix >> ${t}.prefix
  ) SELECT id FROM before WHERE space = ${spaceOf(t)} AND prefix >> ${t}.prefix)`;
}

/**
 * SQL of the ids of a prefix's direct children. In network order everything in a child follows the child, and is skipped.
 * @param id of the prefix
 */
export const childrenOf = (id: Sql): Sql => sql`WITH RECURSIVE children AS (
    SELECT child.*, net.prefix AS within
    FROM prefixes net CROSS JOIN LATERAL ${raw(nextTo(spaceOf('net'), 'net.prefix', AFTER))} child
    WHERE net.id = ${id} AND child.space = ${raw(spaceOf('net'))} AND child.prefix << net.prefix
    UNION ALL
    SELECT child.*, children.within
    FROM children CROSS JOIN LATERAL ${raw(nextTo('children.space', `${lastOf('children.prefix')}::cidr`, AFTER))} child
    WHERE child.space = children.space AND child.prefix << children.within
  ) SELECT id FROM children`;
