/*
 * An address space is the addresses and prefixes of one VRF, or of none. `address_hosts` (migration `address-hosts`) keeps the
 * distinct hosts of each space, `address_blocks` their number in blocks of 256 addresses.
 */

const NO_VRF = '00000000-0000-0000-0000-000000000000';

/** SQL of the address space of a row. Indexes are on the same expression. */
export const spaceOf = (alias: string): string => `coalesce(${alias}.vrf_id, '${NO_VRF}')`;

const bits = (address: string): string => `CASE family(${address}) WHEN 4 THEN 32 ELSE 128 END`;

/** SQL of an address without its prefix length. */
const hostOf = (address: string): string => `set_masklen(${address}, ${bits(address)})`;

/** SQL of the first and the last address of a network, without prefix length. */
export const firstOf = (network: string): string => hostOf(`${network}::inet`);
export const lastOf = (network: string): string => hostOf(`broadcast(${network})`);

const blockLength = (address: string): string => `CASE family(${address}) WHEN 4 THEN 24 ELSE 120 END`;

const blockOf = (address: string): string => `network(set_masklen(${address}, ${blockLength(address)}))`;

/** SQL of the number of addresses of a network. */
export const sizeOf = (network: string): string => `trunc(2::numeric ^ (${bits(network)} - masklen(${network})))`;

/** SQL of the number of distinct hosts that are recorded in the space and the network of a row of prefixes. */
export const usedIn = (t: string): string => `(CASE WHEN masklen(${t}.prefix) <= ${blockLength(`${t}.prefix`)}
  THEN (SELECT coalesce(sum(b.hosts), 0)::bigint FROM address_blocks b WHERE b.space = ${spaceOf(t)}
    AND b.block BETWEEN ${blockOf(`${t}.prefix::inet`)} AND ${blockOf(`broadcast(${t}.prefix)`)})
  ELSE (SELECT count(*) FROM address_hosts h WHERE h.space = ${spaceOf(t)}
    AND h.host BETWEEN ${firstOf(`${t}.prefix`)} AND ${lastOf(`${t}.prefix`)}) END)`;

// Outside pools, the network and the broadcast address of IPv4 and the first address of IPv6 (the anycast address of its
// routers) belong to no host. Links between two hosts have neither.
const ends = (t: string, condition: string): string => `CASE WHEN NOT ${t}.is_pool AND ${condition} THEN 1 ELSE 0 END`;

/** SQL of the arguments of `free_hosts` and `claim_hosts` that say where: the space and the usable hosts of a row of prefixes. */
export const usableHosts = (t: string): string => {
  const [length, family] = [`masklen(${t}.prefix)`, `family(${t}.prefix)`];
  return `${spaceOf(t)}, ${firstOf(`${t}.prefix`)} + ${ends(t, `${length} < CASE ${family} WHEN 4 THEN 31 ELSE 127 END`)},
    ${lastOf(`${t}.prefix`)} - ${ends(t, `${family} = 4 AND ${length} < 31`)}`;
};

/** SQL of the id of the most specific prefix that contains a row of prefixes. Each length is looked up in the unique index. */
export const parentOf = (t: string): string => `(SELECT p.id FROM generate_series(0, masklen(${t}.prefix) - 1) length
  JOIN prefixes p ON ${spaceOf('p')} = ${spaceOf(t)} AND p.prefix = network(set_masklen(${t}.prefix::inet, length))
  ORDER BY length DESC LIMIT 1)`;

/**
 * SQL of the ids of a prefix's children, those without another prefix in between. In network order a child is followed by
 * all that it contains, which is skipped by one look into the unique index.
 * @param id SQL of the id of the prefix
 */
export const childrenOf = (id: string): string => `WITH RECURSIVE children AS (
    SELECT child.*, net.prefix AS within, ${spaceOf('net')} AS space FROM prefixes net CROSS JOIN LATERAL (
      SELECT p.id, p.prefix FROM prefixes p
      WHERE ${spaceOf('p')} = ${spaceOf('net')} AND p.prefix > net.prefix ORDER BY p.prefix LIMIT 1
    ) child WHERE net.id = ${id} AND child.prefix << net.prefix
    UNION ALL
    SELECT child.*, children.within, children.space FROM children CROSS JOIN LATERAL (
      SELECT p.id, p.prefix FROM prefixes p
      WHERE ${spaceOf('p')} = children.space AND p.prefix > ${lastOf('children.prefix')}::cidr ORDER BY p.prefix LIMIT 1
    ) child WHERE child.prefix << children.within
  ) SELECT id FROM children`;
