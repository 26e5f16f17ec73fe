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

/**
 * The path of a request as its route spells it, without host and query, the ids in it in lower case: one text for one
 * operation on one record, whatever the client wrote.
 */
export function routePath(request: FastifyRequest): string {
  const parameters = request.params as Record<string, string>;
  return request.routeOptions.url!.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(parameters[name]!.toLowerCase()),
  );
}

/** Whether the path of a request that reached no router is one of the API. */
export const isApiUrl = (url: string): boolean => isApiPath(pathOf(url));

const isApiPath = (path: string): boolean => /^\/api(?:\/|$)/.test(path);

/** The path as it was sent: of `http://any.host/a%62?c` it is `/a%62`. */
export const sentPath = (url: string): string => url.replace(AUTHORITY, '').split(/[?#]/, 1)[0]!;

/** The path as it was meant: of `http://any.host/a%62?c` it is `/ab`. */
export function pathOf(url: string): string {
  const path = sentPath(url);
  // Octet by octet: a path that cannot be read as a whole may still begin as one of the API.
  return path.replaceAll(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
