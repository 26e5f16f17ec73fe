import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

export const SESSION_COOKIE = 'session';

// A header that most programs send, with nothing to decode.
const ONLY = new RegExp(String.raw`^${SESSION_COOKIE}=([\w-]+)$`);

/**
 * Token of the request's session cookie. Undefined if two cookies have that name: another host of the domain may have set one of
 * them, and decides which of them a browser sends first.
 */
export function sessionCookie({ headers: { cookie = '' } }: FastifyRequest): string | undefined {
  const only = ONLY.exec(cookie);
  if (only) return only[1];
  const ours = cookie.split(';').filter((pair) => {
    const end = pair.indexOf('=');
    return end > 0 && pair.slice(0, end).trim() === SESSION_COOKIE;
  });
  return ours.length === 1 ? parseCookie(ours[0]!)[SESSION_COOKIE] : undefined;
}

/**
 * `Set-Cookie` with the token of a session. An empty token deletes the cookie.
 * @param secure whether the cookie is always `Secure`, not only when the request came over https
 */
export const setSessionCookie = (request: FastifyRequest, token: string, secure: boolean): string =>
  stringifySetCookie({
    name: SESSION_COOKIE,
    value: token,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: request.protocol === 'https' || secure,
    ...(token === '' && { maxAge: 0 }),
  });
