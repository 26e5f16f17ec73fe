import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import type { SealedBox } from '../../access/secrets.js';

const COOKIE = 'sign_in';
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

/** `Set-Cookie` that keeps the state with the browser that began the sign-in, so that any replica can finish it. */
export function setSignInCookie(
  request: FastifyRequest,
  box: SealedBox,
  state: Omit<SignInState, 'expiresAt'>,
  now: Date,
  secure: boolean,
): string {
  const kept: SignInState = { ...state, expiresAt: now.getTime() + SIGN_IN_SECONDS * 1000 };
  return cookie(request, box.seal(JSON.stringify(kept)), SIGN_IN_SECONDS, secure);
}

/** `Set-Cookie` that deletes the state. */
export const endSignInCookie = (request: FastifyRequest, secure: boolean): string => cookie(request, '', 0, secure);

/** The state of the browser's sign-in; undefined if it has none, or if it was altered or has expired. */
export function readSignInState({ headers }: FastifyRequest, box: SealedBox, now: Date): SignInState | undefined {
  const sealed = parseCookie(headers.cookie ?? '')[COOKIE];
  if (!sealed) return undefined;
  let kept: SignInState;
  try {
    kept = JSON.parse(box.open(sealed)) as SignInState;
  } catch {
    return undefined;
  }
  return kept.expiresAt > now.getTime() ? kept : undefined;
}

// Lax: the browser comes back from the provider's site.
const cookie = (request: FastifyRequest, value: string, maxAge: number, secure: boolean): string =>
  stringifySetCookie({
    name: COOKIE,
    value,
    path: PATH,
    httpOnly: true,
    sameSite: 'lax',
    secure: request.protocol === 'https' || secure,
    maxAge,
  });
