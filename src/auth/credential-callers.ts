import { Inject, Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/access.js';
import { Callers } from '../access/access.guard.js';
import { clientAddress } from '../http/client-address.js';
import { SESSION_COOKIE } from './session/session-cookie.js';
import { Sessions } from './session/sessions.js';
import { TOKEN_START } from './token/token-text.js';
import { Tokens } from './token/tokens.js';

/** Identifies callers by the token in `Authorization`, or by the session or token in their cookie. */
@Injectable()
export class CredentialCallers extends Callers {
  constructor(
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Tokens) private readonly tokens: Tokens,
  ) {
    super();
  }

  callerOf(request: FastifyRequest): Caller | undefined | Promise<Caller | undefined> {
    if (request.headers.authorization !== undefined) {
      const token = bearerToken(request);
      return token === undefined ? undefined : this.tokens.find(token, () => clientAddress(request));
    }
    const text = sessionCookie(request);
    if (text === undefined) return undefined;
    return text.startsWith(TOKEN_START)
      ? this.tokens.find(text, () => clientAddress(request))
      : this.sessions.find(text);
  }
}

const AUTHORIZATION = 'authorization';
const BEARER = /^Bearer +(\S+)$/i;

/**
 * The token of the `Authorization` header. Undefined if there are two such headers: Node uses the first, and a proxy may have checked
 * the other.
 */
function bearerToken({ headers, raw: { rawHeaders } }: FastifyRequest): string | undefined {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.length === AUTHORIZATION.length && rawHeaders[at]!.toLowerCase() === AUTHORIZATION) found++;
  }
  return found === 1 ? BEARER.exec(headers.authorization!)?.[1] : undefined;
}

// A header that most programs send, with nothing to decode.
const ONLY = new RegExp(String.raw`^${SESSION_COOKIE}=([\w-]+)$`);

/**
 * Token of the request's session cookie. Undefined if two cookies have that name. Another host of the domain may have set one of them,
 * and thereby decides which one a browser sends first.
 */
function sessionCookie({ headers: { cookie = '' } }: FastifyRequest): string | undefined {
  const only = ONLY.exec(cookie);
  if (only) return only[1];
  const ours = cookie.split(';').filter((pair) => {
    const end = pair.indexOf('=');
    return end > 0 && pair.slice(0, end).trim() === SESSION_COOKIE;
  });
  return ours.length === 1 ? parseCookie(ours[0]!)[SESSION_COOKIE] : undefined;
}
