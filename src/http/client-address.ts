import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Address that a request comes from. What a trusted proxy hands on and is no address is not believed. */
export function clientAddress(request: FastifyRequest): string {
  const said = withoutMapping(request.ip);
  return isIP(said) ? said : withoutMapping(request.socket.remoteAddress ?? '');
}

/** What counts as one address: of IPv6 the first 64 bits, as each customer of a provider has all that follow them. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  // An IPv4 address at the end stands for two groups.
  const written = groups.length + after.length + (address.includes('.') ? 1 : 0);
  if (tail !== undefined) groups.push(...Array<string>(8 - written).fill('0'), ...after);
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** An IPv4 address that a socket of both families shows as one of IPv6. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/i, '');
