import { createHash } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import type { SealedBox } from '../../access/secrets.js';

/** A browser may have several sign-ins under way, for example in several tabs. Each has its own cookie. */
const COOKIES = 'sign_in_';
/** Maximum number of them. A browser sends all of the cookies, and headers have a size limit. */
const MOST_AT_ONCE = 5;
const PATH = '/api/auth/oidc';
/** Seconds that a person has to sign in at the provider. */
const SIGN_IN_SECONDS = 600;

/** The data that a sign-in needs when the browser comes back from the provider. */
export interface SignInState {
  state: string;
  nonce: string;
  /** Secret of PKCE. */
  codeVerifier: string;
  /** URL of the callback that the provider was told. */
  redirectUri: string;
  /** Path to go to after the sign-in. */
  returnTo: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * Values of `Set-Cookie`. The first stores the state in the browser that began the sign-in, so that any replica can finish it. The
 * others end the oldest sign-ins of a browser that has begun too many.
 */
export function setSignInCookies(
  request: FastifyRequest,
  box: SealedBox,
  state: Omit<SignInState, 'expiresAt'>,
  now: Date,
  secure: boolean,
): string[] {
  const kept: SignInState = { ...state, expiresAt: now.getTime() + SIGN_IN_SECONDS * 1000 };
  const others = Object.keys(parseCookie(request.headers.cookie ?? ''))
    .filter((name) => name.startsWith(COOKIES))
    .map((name) => ({ name, expiresAt: opened(request, name, box)?.expiresAt ?? 0 }))
    .toSorted((one, other) => other.expiresAt - one.expiresAt);
  return [
    cookie(request, nameOf(kept.state), box.seal(JSON.stringify(kept)), SIGN_IN_SECONDS, secure),
    ...others.slice(MOST_AT_ONCE - 1).map(({ name }) => cookie(request, name, '', 0, secure)),
  ];
}

/** `Set-Cookie` that deletes the state of a sign-in. */
export const endSignInCookie = (request: FastifyRequest, { state }: SignInState, secure: boolean): string =>
  cookie(request, nameOf(state), '', 0, secure);

/** The sign-in of the browser with this state; undefined if there is none, or if it was altered or has expired. */
export function readSignInState(
  request: FastifyRequest,
  state: unknown,
  box: SealedBox,
  now: Date,
): SignInState | undefined {
  if (typeof state !== 'string') return undefined;
  const kept = opened(request, nameOf(state), box);
  return kept && kept.state === state && kept.expiresAt > now.getTime() ? kept : undefined;
}

const nameOf = (state: string): string =>
  `${COOKIES}${createHash('sha256').update(state).digest('base64url').slice(0, 16)}`;

function opened({ headers }: FastifyRequest, name: string, box: SealedBox): SignInState | undefined {
  const sealed = parseCookie(headers.cookie ?? '')[name];
  if (!sealed) return undefined;
  try {
    return JSON.parse(box.open(sealed)) as SignInState;
  } catch {
    return undefined;
  }
}

// Lax: the browser comes back from the provider's site.
const cookie = (request: FastifyRequest, name: string, value: string, maxAge: number, secure: boolean): string =>
  stringifySetCookie({
    name,
    value,
    path: PATH,
    httpOnly: true,
    sameSite: 'lax',
    secure: request.protocol === 'https' || secure,
    maxAge,
  });
