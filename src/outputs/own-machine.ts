import { BlockList } from 'node:net';
import { sql, type Sql } from '../database/sql.js';

/* Names and addresses of the local machine. If a tool got one of them, it would act on its own machine instead of a device. */

/** Loopback and unspecified addresses, also as mapped ones. */
const NETWORKS = ['127.0.0.0/8', '0.0.0.0/32', '::1/128', '::/128', '::ffff:127.0.0.0/104', '::ffff:0.0.0.0/128'];

const OWN = new BlockList();
for (const network of NETWORKS) {
  const [address, length] = network.split('/') as [string, string];
  OWN.addSubnet(address, Number(length), address.includes(':') ? 'ipv6' : 'ipv4');
}

/** First labels of the loopback names in `/etc/hosts` of common systems. A search list may append any domain to them. */
const LABELS = new Set([
  'localhost',
  'localhost4',
  'localhost6',
  'ip6-localhost',
  'ip6-loopback',
  'ipv6-localhost',
  'ipv6-loopback',
]);

/** Whether an address without prefix length belongs to the local machine. */
export const isOwnAddress = (address: string): boolean => OWN.check(address, address.includes(':') ? 'ipv6' : 'ipv4');

/** The same in SQL. @param host SQL of an `inet` that is one address */
export const ownAddress = (host: Sql): Sql => sql`${host} <<= ANY(${NETWORKS}::inet[])`;

/**
 * Whether a name refers to the local machine: a loopback name, a name below `localhost`, or an address as resolvers read it, such as
 * `127.1` or `0x7f000001`.
 * @param name a host name without a trailing dot
 */
export function isOwnName(name: string): boolean {
  const lower = name.toLowerCase();
  const labels = lower.split('.');
  if (lower === 'loopback' || LABELS.has(labels[0]!) || labels.at(-1) === 'localhost') return true;
  const url = `http://${lower}`;
  // URLs read addresses as resolvers do. The last label alone distinguishes a name from an address.
  return /^\d/.test(labels.at(-1)!) && URL.canParse(url) && isOwnAddress(new URL(url).hostname);
}
