import { fork } from 'node:child_process';
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Answer, TestService } from './app.js';

const CLIENT = 'inventory';

/** Settings of a service that trusts an issuer. */
export const trusting = (issuer: string, more: Record<string, string> = {}): Record<string, string> => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT,
  OIDC_CLIENT_SECRET: `the secret of ${CLIENT} `.padEnd(32, '.'),
  ...more,
});

/** A sign-in that a browser has begun. */
export interface Begun {
  /** The cookie that keeps its state, as `name=value`. */
  cookie: string;
  /** The address of the redirect. */
  url: URL;
  state: string;
  nonce: string;
}

/** The cookie of a name, or whose name begins with a text that ends with `_`. */
export const cookieOf = (answer: { headers: Headers }, name: string): string | undefined =>
  answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0]!)
    .find((pair) => pair.startsWith(name) && !pair.endsWith('=') && (name.endsWith('_') || pair[name.length] === '='));

export async function begin({ anonymous }: TestService, returnTo?: string): Promise<Begun> {
  const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
  const answer = await anonymous.get(`/api/auth/oidc/login${query}`);
  if (answer.status !== 302) throw new Error(`The sign-in began with ${answer.status}: ${answer.text}`);
  const url = new URL(answer.headers.get('location')!);
  const { state, nonce } = Object.fromEntries(url.searchParams) as Record<string, string>;
  return { url, state: state!, nonce: nonce!, cookie: cookieOf(answer, 'sign_in_')! };
}

/** The provider sends the browser back. */
export const comeBack = (
  { anonymous }: TestService,
  cookie: string | undefined,
  parameters: Record<string, string>,
): Promise<Answer> =>
  anonymous.get(`/api/auth/oidc/callback?${String(new URLSearchParams(parameters))}`, cookie ? { cookie } : {});

/** The certified provider (`oidc-provider`), in a process of its own. */
export interface CertifiedProvider {
  issuer: string;
  /**
   * Logs in a person with these claims, and resolves to the parameters of the callback.
   * @param who `subject;email;verified;group group`
   */
  logIn(url: URL, who: string): Promise<Record<string, string>>;
  stop(): void;
}

export async function startCertifiedProvider(): Promise<CertifiedProvider> {
  const child = fork(join(__dirname, 'provider.mjs'), { silent: true, execArgv: [] });
  const [issuer] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The provider did not start'))),
  ])) as [string];
  return {
    issuer,
    stop: () => void child.kill(),
    async logIn(url, who) {
      const cookies = new Map<string, string>();
      let at = url;
      let form: URLSearchParams | undefined;
      for (let steps = 0; steps < 10; steps++) {
        const response: Response = await fetch(at, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
          ...(form && { method: 'POST', body: form }),
        });
        for (const pair of response.headers.getSetCookie()) {
          const [name, value] = pair.split(';')[0]!.split('=') as [string, string];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        form = undefined;
        if (location === null) {
          if (response.status !== 200)
            throw new Error(`The provider gave ${response.status}: ${await response.text()}`);
          form = new URLSearchParams({ prompt: 'login', login: who, password: 'any' });
          continue;
        }
        at = new URL(location, at);
        if (at.origin !== issuer) return Object.fromEntries(at.searchParams);
      }
      throw new Error('The provider did not come to an end');
    },
  };
}

export type Claims = Record<string, unknown>;

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signed = (key: KeyObject) => (text: string) => createSign('sha256').update(text).sign(key).toString('base64url');

/** Ways to sign an id token; the first is the right one. */
export const SIGNATURES: Record<string, { alg: string; sign: (text: string) => string }> = {
  right: { alg: 'RS256', sign: signed(privateKey) },
  'of another key': { alg: 'RS256', sign: signed(otherKey) },
  'cut off': { alg: 'RS256', sign: () => '' },
  none: { alg: 'none', sign: () => '' },
  'none in capitals': { alg: 'NONE', sign: () => '' },
  'with the public key as an HMAC key': {
    alg: 'HS256',
    sign: (text) =>
      createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
        .update(text)
        .digest('base64url'),
  },
  'with the client secret as an HMAC key': {
    alg: 'HS256',
    sign: (text) => createHmac('sha256', trusting('').OIDC_CLIENT_SECRET!).update(text).digest('base64url'),
  },
};

/** A provider with responses that the test chooses. */
export class HostileProvider {
  private readonly server: Server;
  issuer = '';
  /** Further claims of the next id token. */
  claims: Claims = {};
  userInfo?: Claims;
  signature = 'right';
  /** Changes the discovery document. */
  metadata: Claims = {};
  /** Answers the token endpoint in place of an id token. */
  refusal?: { status: number; body: unknown };
  isSilent = false;
  requests = 0;

  constructor() {
    this.server = createServer((request, response) => {
      this.requests++;
      if (this.isSilent) return;
      const send = (status: number, body: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      request.resume();
      if (request.url === '/.well-known/openid-configuration') return send(200, this.discovery());
      if (request.url === '/jwks') {
        return send(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }] });
      }
      if (request.url === '/userinfo') return send(200, { sub: this.claims.sub, ...this.userInfo });
      if (this.refusal) return send(this.refusal.status, this.refusal.body);
      return send(200, { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: this.idToken() });
    });
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private discovery(): Claims {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/auth`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none', 'NONE'],
      ...this.metadata,
    };
  }

  private idToken(): string {
    const { alg, sign } = SIGNATURES[this.signature]!;
    const now = Math.floor(Date.now() / 1000);
    const header = { alg, kid: 'one' };
    const claims = { iss: this.issuer, aud: CLIENT, iat: now, exp: now + 60, ...this.claims };
    const text = `${encode(header)}.${encode(claims)}`;
    return `${text}.${sign(text)}`;
  }
}
