import { numberOf } from '../fields/types/cidr.js';
import { hostNameOf } from './host-name.js';

/** A zone of the DNS. */
export interface Zone {
  /** In lower case, without a last dot. */
  name: string;
  /** The addresses of a reverse zone. */
  network?: string;
}

const OCTET = /^(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/;
const NIBBLE = /^[\da-f]$/;
const IPV4 = 'in-addr.arpa';
const IPV6 = 'ip6.arpa';

/** The labels of a name before a suffix; undefined if it does not end with the suffix. */
function labelsBefore(suffix: string, name: string): string[] | undefined {
  if (name === suffix) return [];
  return name.endsWith(`.${suffix}`) ? name.slice(0, -suffix.length - 1).split('.') : undefined;
}

/** A zone by its name; undefined if it is not a forward zone, or a reverse zone of whole octets or nibbles. */
export function zoneOf(text: string): Zone | undefined {
  const name = hostNameOf(text)?.toLowerCase();
  if (name === undefined) return undefined;
  const octets = labelsBefore(IPV4, name);
  if (octets) {
    if (octets.length > 4 || !octets.every((octet) => OCTET.test(octet))) return undefined;
    const address = [...octets.toReversed(), '0', '0', '0', '0'].slice(0, 4).join('.');
    return { name, network: `${address}/${8 * octets.length}` };
  }
  const nibbles = labelsBefore(IPV6, name);
  if (nibbles) {
    if (nibbles.length > 32 || !nibbles.every((nibble) => NIBBLE.test(nibble))) return undefined;
    const digits = nibbles.toReversed().join('').padEnd(32, '0');
    return { name, network: `${digits.match(/.{4}/g)!.join(':')}/${4 * nibbles.length}` };
  }
  return { name };
}

/** The reverse DNS name of an address, without a trailing dot. */
export function reverseName(address: string): string {
  if (!address.includes(':')) return `${address.split('.').toReversed().join('.')}.${IPV4}`;
  const digits = numberOf(6, address).toString(16).padStart(32, '0');
  return `${[...digits].toReversed().join('.')}.${IPV6}`;
}

/** A text that sorts names in the canonical order of DNSSEC: label by label from the last. */
export const canonicalKey = (name: string): string => name.split('.').toReversed().join('\0');
