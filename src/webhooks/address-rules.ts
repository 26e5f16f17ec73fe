import { BlockList, isIP } from 'node:net';

/** The addresses that webhooks may be sent to in addition to public ones. */
export interface AddressPolicy {
  allowLoopback: boolean;
  allowPrivate: boolean;
  /** Whether `http` is allowed too. */
  allowHttp: boolean;
}

function listOf(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, length] = network.split('/') as [string, string];
    list.addSubnet(address, Number(length), family);
  }
  return list;
}

const LOOPBACK = listOf('ipv4', ['127.0.0.0/8']);
const PRIVATE = listOf('ipv4', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10']);
const PRIVATE_6 = listOf('ipv6', ['fc00::/7']);

// Networks that the IANA registries of special-purpose addresses mark as not globally reachable, and multicast.
const RESERVED = listOf('ipv4', [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/** Addresses of cloud metadata, often with credentials. Some of them are private, others public. */
const METADATA = listOf('ipv4', ['100.100.100.200/32', '168.63.129.16/32']);
const METADATA_6 = listOf('ipv6', ['fd00:ec2::/32', 'fd20:ce::/32', 'fd00:c1::/32', 'fd00:42::42/128']);
/** All global IPv6 addresses are in this network. */
const UNICAST_6 = listOf('ipv6', ['2000::/3']);
const RESERVED_6 = listOf('ipv6', ['2001::/23', '2001:db8::/32', '3fff::/20']);

/** Networks whose addresses embed an IPv4 address, with the index of its first 16-bit group. */
const EMBEDDING: readonly (readonly [BlockList, number])[] = [
  [listOf('ipv6', ['::ffff:0:0/96']), 6],
  [listOf('ipv6', ['64:ff9b::/96']), 6],
  [listOf('ipv6', ['2002::/16']), 1],
];

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hex = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...parts: string[]) => {
    const [a, b, c, d] = parts.map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = hex.split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const first = groups(head);
  const last = tail === undefined ? [] : groups(tail);
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

/** Whether a webhook may be sent to an address. An address that embeds an IPv4 address counts as that one. */
export function isAllowed(address: string, policy: AddressPolicy): boolean {
  // A zone only occurs with link-local addresses.
  if (address.includes('%')) return false;
  if (isIP(address) === 4) {
    if (LOOPBACK.check(address)) return policy.allowLoopback;
    if (METADATA.check(address)) return false;
    if (PRIVATE.check(address)) return policy.allowPrivate;
    return !RESERVED.check(address);
  }
  if (isIP(address) !== 6) return false;
  const embedding = EMBEDDING.find(([list]) => list.check(address, 'ipv6'));
  if (embedding) {
    const [high, low] = groupsOf(address).slice(embedding[1]) as [number, number];
    return isAllowed([high >> 8, high & 255, low >> 8, low & 255].join('.'), policy);
  }
  const groups = groupsOf(address);
  if (groups.every((group, index) => group === (index === 7 ? 1 : 0))) return policy.allowLoopback;
  if (METADATA_6.check(address, 'ipv6')) return false;
  if (PRIVATE_6.check(address, 'ipv6')) return policy.allowPrivate;
  return UNICAST_6.check(address, 'ipv6') && !RESERVED_6.check(address, 'ipv6');
}

/** The address in the host of a URL; undefined for a name. */
export function literalOf({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}

const isLocalName = ({ hostname }: URL): boolean => /(?:^|\.)localhost\.?$/i.test(hostname);

/** Why a URL is refused, as far as its text shows; undefined if it is not. */
export function urlFault(text: string, policy: AddressPolicy): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const schemes = policy.allowHttp ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol)) {
    return `must be an absolute URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`;
  }
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  if (isLocalName(url) && !policy.allowLoopback) return 'must not lead to this machine';
  const address = literalOf(url);
  if (address !== undefined && !isAllowed(address, policy)) {
    return `must not lead to ${address}, which is not an address that webhooks may be sent to`;
  }
  return undefined;
}
