import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  clockTolerance,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type ClientAuth,
  type Configuration,
} from 'openid-client';
import type { SingleSignOn } from '../../config/single-sign-on.js';
import { DomainError } from '../../http/errors.js';
import type { Clock } from '../credential/clock.js';
import type { SignInState } from './sign-in-state.js';

/** Milliseconds for all requests to the provider that serve one request of a client. */
const TIME_LIMIT_MS = 4_500;
const RETRY_SECONDS = 5;
/** Milliseconds for which the provider's metadata is kept. */
const METADATA_LIFETIME_MS = 3_600_000;
/** Seconds that the clocks of the provider and the service may differ. */
const CLOCK_TOLERANCE = 30;

/** A person as the provider describes them. */
export interface Claims {
  issuer: string;
  subject: string;
  email?: string;
  /** True only if the provider has verified this email address. */
  emailVerified: boolean;
  groups: readonly string[];
}

type RawClaims = Record<string, unknown>;

/** The OpenID Connect provider. Its metadata is read when the first person signs in, so the service starts without it. */
export class IdentityProvider {
  private discovered?: { until: number; configuration: Promise<Configuration> };

  constructor(
    readonly settings: SingleSignOn,
    private readonly clock: Clock,
  ) {}

  /**
   * The URL that the browser is sent to, and the state of the sign-in.
   * @throws DomainError unavailable if the provider does not respond
   */
  async begin(redirectUri: string, returnTo: string): Promise<{ url: string; state: Omit<SignInState, 'expiresAt'> }> {
    const configuration = await this.configuration();
    const state = {
      state: randomState(),
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
      redirectUri,
      returnTo,
    };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.settings.scopes,
      state: state.state,
      nonce: state.nonce,
      code_challenge: await calculatePKCECodeChallenge(state.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, state };
  }

  /**
   * Exchanges the code for the claims of the person.
   * @param query query string of the callback, from its `?`
   * @throws DomainError unauthenticated if the provider refused the sign-in or its answer cannot be trusted, unavailable if it
   * does not respond
   */
  async finish(query: string, { state, nonce, codeVerifier, redirectUri }: SignInState): Promise<Claims> {
    const configuration = await this.configuration();
    try {
      return await withinTimeLimit(async () => {
        const tokens = await authorizationCodeGrant(configuration, new URL(redirectUri + query), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const idToken: RawClaims & { iss: string; sub: string } = tokens.claims()!;
        const { groupsClaim } = this.settings;
        const isComplete = ['email', 'email_verified', groupsClaim].every((name) => idToken[name] !== undefined);
        const more: RawClaims =
          isComplete || configuration.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : { ...(await fetchUserInfo(configuration, tokens.access_token, idToken.sub)) };
        return claimsOf(idToken, more, groupsClaim);
      });
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** @throws DomainError unavailable */
  private async configuration(): Promise<Configuration> {
    const now = this.clock.now().getTime();
    if (!this.discovered || this.discovered.until <= now) {
      const discovered = { until: now + METADATA_LIFETIME_MS, configuration: this.discover() };
      this.discovered = discovered;
      // A failure is not cached. The next sign-in asks again.
      discovered.configuration.catch(() => {
        if (this.discovered === discovered) this.discovered = undefined;
      });
    }
    return this.discovered.configuration;
  }

  private async discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const server = new URL(issuer);
    const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : [];
    try {
      return await withinTimeLimit(() =>
        discovery(server, clientId, { [clockTolerance]: CLOCK_TOLERANCE }, authentication(clientSecret), {
          timeout: TIME_LIMIT_MS / 1000,
          // The signature of an id token is verified, although the token comes from the provider directly.
          execute: [enableNonRepudiationChecks, ...insecure],
        }),
      );
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** Authenticates the client with its secret by a method that the provider supports. The default is the header. */
function authentication(secret: string): ClientAuth {
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? inHeader : inBody;
    return authenticate(server, client, body, headers);
  };
}

async function withinTimeLimit<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no response in time')), TIME_LIMIT_MS);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The claims of an id token, completed from the user info. An email address and its verification are taken from the same
 * response, because the two responses may contain different addresses.
 */
function claimsOf(idToken: RawClaims & { iss: string; sub: string }, more: RawClaims, groupsClaim: string): Claims {
  const inIdToken = idToken.email !== undefined && idToken.email_verified !== undefined;
  const { email, email_verified: verified } = inIdToken || more.email === undefined ? idToken : more;
  // OpenID Connect limits it to 255 ASCII characters.
  if (!isStorable(idToken.sub)) throw new ClientError('unusable subject');
  const groups = [idToken[groupsClaim] ?? more[groupsClaim] ?? []].flat();
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email: isStorable(email) ? email : undefined,
    emailVerified: verified === true,
    groups: groups.filter((group) => typeof group === 'string'),
  };
}

const isStorable = (text: unknown): text is string =>
  typeof text === 'string' && text !== '' && text.length <= 255 && !text.includes('\0');

/** The reason for a failed sign-in for the log, without a token, code or claim. */
export class ProviderFailure extends DomainError {
  readonly reason: string;

  constructor(code: 'unauthenticated' | 'unavailable', sentence: string, error: unknown) {
    super(code, sentence, code === 'unavailable' ? { headers: { 'retry-after': String(RETRY_SECONDS) } } : {});
    const { message, code: kind, error: named } = error as Error & { code?: unknown; error?: unknown };
    this.reason = [kind, named, message].filter((part) => typeof part === 'string').join(': ');
  }
}

const unavailable = (error: unknown): ProviderFailure =>
  new ProviderFailure('unavailable', 'The provider of single sign-on is not available. Try again shortly', error);

// The codes of openid-client for requests that had no usable response.
const UNANSWERED = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

function refusalOf(error: unknown): Error {
  if (error instanceof AuthorizationResponseError) {
    const named = /^\w{1,64}$/.test(error.error) ? `: ${error.error}` : '';
    return new ProviderFailure('unauthenticated', `The provider refused the sign-in${named}`, error);
  }
  const isInvalid =
    error instanceof ResponseBodyError
      ? error.error === 'invalid_grant'
      : error instanceof ClientError && !UNANSWERED.has(error.code ?? '');
  if (!isInvalid) return unavailable(error);
  return new ProviderFailure('unauthenticated', 'The sign-in could not be verified. Start again', error);
}
