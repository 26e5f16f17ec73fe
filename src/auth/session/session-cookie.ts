import { stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

export const SESSION_COOKIE = 'session';

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
