import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The address at which clients reach the service, without a trailing slash.
 * @param publicUrl the configured address; otherwise the address of the request counts
 */
export function publicAddress(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const { localAddress = 'localhost', localPort } = request.socket;
  // Only a request of HTTP/1.0 may have no Host header.
  const host = request.host || `${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
  return `${request.protocol}://${host}`;
}
