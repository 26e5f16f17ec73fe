import type { FastifyRequest } from 'fastify';

const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * Whether a request is for the API, which is closed by default and cached nowhere. As the router sees it, who takes
 * `/%61pi` and `http://any.host/api` for `/api` too.
 */
export function isApiRequest(request: FastifyRequest): boolean {
  const { url } = request.routeOptions;
  return isApiPath(request.is404 || url === undefined ? pathOf(request.url) : url);
}

/** Whether the path of a request that reached no router is one of the API. */
export const isApiUrl = (url: string): boolean => isApiPath(pathOf(url));

const isApiPath = (path: string): boolean => /^\/api(?:\/|$)/.test(path);

function pathOf(url: string): string {
  const path = url.replace(AUTHORITY, '').split(/[?#]/, 1)[0]!;
  // Octet by octet: a path that cannot be read as a whole may still begin as one of the API.
  return path.replaceAll(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
