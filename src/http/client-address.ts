import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The client address of a request. A forwarded value that is not an address is ignored. */
export function clientAddress(request: FastifyRequest): string {
  const said = withoutMapping(request.ip);
  return isIP(said) ? said : withoutMapping(request.socket.remoteAddress ?? '');
}

/** The unit of limits by address. For IPv6 it is the first 64 bits, as a customer of a provider controls the rest. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  // A trailing IPv4 address replaces two groups.
  const written = groups.length + after.length + (address.includes('.') ? 1 : 0);
  if (tail !== undefined) groups.push(...Array<string>(8 - written).fill('0'), ...after);
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** An IPv4 address without the prefix that a dual-stack socket gives it. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:([\d.]+)$/i, '$1');
