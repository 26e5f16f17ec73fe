import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The address that clients reach the service at, without a slash at the end.
 * @param publicUrl the configured address; without it, that of the request counts
 */
export function publicAddress(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const { localAddress = 'localhost', localPort } = request.socket;
  // Only a request of HTTP/1.0 may have no Host header.
  const host = request.host || `${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
  return `${request.protocol}://${host}`;
}
