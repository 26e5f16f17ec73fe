import { Controller, Get, HttpCode, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../access/access.js';
import type { Configuration } from '../../config/configuration.js';
import { CONFIGURATION } from '../../config/tokens.js';
import { clientAddress } from '../../http/client-address.js';
import { DomainError, Fault, invalid, ValidationFailed } from '../../http/errors.js';
import type { BodyReply } from '../../http/replies.js';
import { publicAddress } from '../../http/public-address.js';
import { TakesQuery } from '../../http/route-config.js';
import { Operation } from '../../openapi/operation.js';
import type { DocumentedParameter } from '../../openapi/schema.js';
import { Tag } from '../../openapi/tags.js';
import { Secrets } from '../../access/secrets.js';
import { Clock } from '../credential/clock.js';
import { setSessionCookie } from '../session/session-cookie.js';
import { Identities } from './identities.js';
import { IdentityProvider, ProviderFailure } from './identity-provider.js';
import { isPathOnThisOrigin } from './return-to.js';
import { explained } from './refused-sign-in.js';
import { endSignInCookie, readSignInState, setSignInCookies, type SignInState } from './sign-in-state.js';
import { UsedSignIns } from './used-sign-ins.js';

const DEFAULT_RETURN = '/docs';
const CALLBACK = '/api/auth/oidc/callback';

const parameter = (name: string, description: string, schema: object = {}): DocumentedParameter => ({
  name,
  description,
  schema: { type: 'string', ...schema },
  many: false,
});

/** Signing in at an OpenID Connect provider: authorization code flow with PKCE. */
@Controller('api/auth/oidc')
@Tag('Authentication')
export class OidcController {
  constructor(
    @Inject(IdentityProvider) private readonly provider: IdentityProvider | undefined,
    @Inject(Identities) private readonly identities: Identities | undefined,
    @Inject(UsedSignIns) private readonly used: UsedSignIns,
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get('login')
  @HttpCode(302)
  @Public()
  @TakesQuery()
  @Operation({
    operationId: 'beginSignIn',
    text: {
      summary: 'Sign in with single sign-on',
      description:
        'For browsers: redirects to the OpenID Connect provider. The state of the sign-in is kept for ten minutes in an encrypted cookie of its own, so that several tabs can sign in at once. A browser that is refused gets a page that says why. 404 if single sign-on is not configured.',
    },
    query: [parameter('returnTo', 'Path on this origin to go to after the sign-in', { default: DEFAULT_RETURN })],
    status: 302,
    explained: true,
    errors: [404, 429, 503],
  })
  login(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<BodyReply | void> {
    const { returnTo } = request.query as Record<string, unknown>;
    const asked = typeof returnTo === 'string' && isPathOnThisOrigin(returnTo) ? returnTo : '/';
    return explained(request, reply, this.begin(request, reply), asked);
  }

  private async begin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const provider = this.configured(this.provider);
    const { returnTo = DEFAULT_RETURN, ...unknown } = request.query as Record<string, unknown>;
    const names = Object.keys(unknown);
    if (names.length > 0) {
      throw new ValidationFailed(
        names.map((name) => new Fault(name, 'is not a parameter of this path, which accepts returnTo', 'unknown')),
      );
    }
    if (typeof returnTo !== 'string' || !isPathOnThisOrigin(returnTo)) {
      throw invalid('returnTo', 'must be a path on this origin, for example /docs');
    }
    const redirectUri = publicAddress(request, this.configuration.publicUrl) + CALLBACK;
    const { url, state } = await logged(request, provider.begin(redirectUri, returnTo));
    const { secureCookies } = this.configuration;
    const cookies = setSignInCookies(request, this.secrets.signIns, state, this.clock.now(), secureCookies);
    void reply.header('set-cookie', cookies).header('location', url);
  }

  @Get('callback')
  @HttpCode(302)
  @Public()
  @TakesQuery()
  @Operation({
    operationId: 'finishSignIn',
    text: {
      summary: 'Finish a sign-in',
      description:
        'The provider sends the browser here. Opens a session, sets its cookie and redirects to `returnTo`. 400 if the browser did not begin this sign-in, began it more than ten minutes ago, or came back from it before; 401 if the provider refused it or its answer is not valid; 403 if the person has no profile, or an inactive one. Parameters that are not listed are ignored, as OAuth 2.0 requires.',
    },
    query: [
      parameter('code', 'Authorization code of the provider'),
      parameter('state', 'The value that the sign-in began with'),
      parameter('iss', 'Issuer of the response'),
      parameter('error', 'Why the provider refused the sign-in', { examples: ['access_denied'] }),
      parameter('error_description', 'Text about the error'),
    ],
    status: 302,
    explained: true,
    errors: [401, 403, 404, 429, 503],
  })
  callback(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<BodyReply | void> {
    const { state } = request.query as Record<string, unknown>;
    const begun = readSignInState(request, state, this.secrets.signIns, this.clock.now());
    return explained(request, reply, this.finish(request, reply, begun), begun?.returnTo ?? '/');
  }

  private async finish(request: FastifyRequest, reply: FastifyReply, begun?: SignInState): Promise<void> {
    const provider = this.configured(this.provider);
    const { secureCookies } = this.configuration;
    if (!begun) {
      throw invalid(
        'state',
        'does not belong to a sign-in that this browser began in the last ten minutes. Start again',
      );
    }
    void reply.header('set-cookie', endSignInCookie(request, begun, secureCookies));
    // A state can be used once, whatever the outcome. The provider is not asked again.
    if (!(await this.used.use(begun)))
      throw invalid('state', 'belongs to a sign-in that is already complete. Start again');
    const query = request.url.slice(request.url.indexOf('?'));
    const claims = await logged(request, provider.finish(query, begun));
    const { 'user-agent': userAgent } = request.headers;
    const client = { remoteAddress: clientAddress(request), userAgent };
    const token = await this.configured(this.identities).signIn(claims, client, request.id);
    void reply.header('set-cookie', setSessionCookie(request, token, secureCookies)).header('location', begun.returnTo);
  }

  /** @throws DomainError not_found if single sign-on is not configured */
  private configured<T>(part: T | undefined): T {
    if (part === undefined) throw new DomainError('not_found', 'Single sign-on is not configured');
    return part;
  }
}

/** Logs why a sign-in failed. The response does not contain the reason. */
async function logged<T>(request: FastifyRequest, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProviderFailure)
      request.log.warn({ reason: error.reason }, 'A sign-in failed at the provider');
    throw error;
  }
}
