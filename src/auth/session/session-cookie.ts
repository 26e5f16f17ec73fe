import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

export const SESSION_COOKIE = 'session';

/**
 * Token of the request's session cookie. None where there are two of that name: the second was set by somebody else, such as
 * another host of the domain, and which of them a browser sends first that somebody decides.
 */
export function sessionCookie(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const first = cookie.indexOf(`${SESSION_COOKIE}=`);
  // Looked at closely only where the name comes twice, which it may also do within another one.
  if (cookie.includes(`${SESSION_COOKIE}=`, first + 1)) {
    const names = cookie.split(';').map((pair) => pair.split('=', 1)[0]!.trim());
    if (names.indexOf(SESSION_COOKIE) !== names.lastIndexOf(SESSION_COOKIE)) return undefined;
  }
  return parseCookie(cookie)[SESSION_COOKIE];
}
