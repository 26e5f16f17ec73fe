import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

export const SESSION_COOKIE = 'session';

/**
 * Token of the request's session cookie. None where there are two of that name: one was set by somebody else, such as another
 * host of the domain, who also decides which of them a browser sends first.
 */
export function sessionCookie({ headers: { cookie = '' } }: FastifyRequest): string | undefined {
  const ours = cookie.split(';').filter((pair) => {
    const end = pair.indexOf('=');
    return end > 0 && pair.slice(0, end).trim() === SESSION_COOKIE;
  });
  return ours.length === 1 ? parseCookie(ours[0]!)[SESSION_COOKIE] : undefined;
}
