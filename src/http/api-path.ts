import type { FastifyRequest } from 'fastify';

const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * The path of a request as the route spells it, without host and query, and with ids in lower case. An operation on a record has only
 * one such path, however the client wrote it.
 */
export function routePath(request: FastifyRequest): string {
  const parameters = request.params as Record<string, string>;
  return request.routeOptions.url!.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(parameters[name]!.toLowerCase()),
  );
}

/** Whether a decoded path belongs to the API. */
export const isApiPath = (path: string): boolean => /^\/api(?:\/|$)/.test(path);

/** The path as sent: `/a%62` for `http://any.host/a%62?c`. */
export function sentPath(url: string): string {
  const target = url.startsWith('/') ? url : url.replace(AUTHORITY, '');
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

/** The path as the router reads it, in which an encoded slash is not a separator: `/a%2Fb` for `/%61%2fb`. */
export const routedPath = (url: string): string => pathOf(url.replaceAll(/%2f/gi, '%252F'));

/** The decoded path: `/ab` for `http://any.host/a%62?c`. */
export function pathOf(url: string): string {
  const path = sentPath(url);
  if (!path.includes('%')) return path;
  // Decoded octet by octet, because a path with an invalid part may still begin like an API path.
  return path.replaceAll(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
