import { isAbsolute } from 'node:path';
import { ConfigurationError, loadConfiguration } from './configuration.js';

describe('loadConfiguration', () => {
  it('needs nothing', () => {
    const { dataDir, ...rest } = loadConfiguration({});
    expect(isAbsolute(dataDir)).toBe(true);
    expect(rest).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      adminEmail: 'admin@example.com',
      adminPassword: undefined,
      secretKey: undefined,
      trustProxy: false,
      secureCookies: false,
      logLevel: 'info',
    });
  });

  it('treats an empty variable as unset', () =>
    expect(loadConfiguration({ PORT: '', DATABASE_URL: ' ', ADMIN_EMAIL: '', SECRET_KEY: '' })).toEqual(
      loadConfiguration({}),
    ));

  it.each([
    ['PORT', '0', 'port', 0],
    ['PORT', '65535', 'port', 65_535],
    ['PORT', ' 8080 ', 'port', 8080],
    ['PUBLIC_URL', 'https://example.com/inventory/', 'publicUrl', 'https://example.com/inventory'],
    ['DATABASE_URL', 'postgres://u:p@h/d', 'databaseUrl', 'postgres://u:p@h/d'],
    ['DATABASE_URL', 'postgresql://u:p@h/d', 'databaseUrl', 'postgresql://u:p@h/d'],
    ['SPOOL_MB', '512', 'spool', 512],
    ['BODY_MEMORY_MB', '128', 'bodyMemory', 128],
    ['CATALOGUE', 'false', 'catalogue', false],
    ['SESSION_IDLE_MINUTES', '1', 'sessionIdleMinutes', 1],
    ['SESSION_ABSOLUTE_HOURS', '24', 'sessionAbsoluteHours', 24],
    ['PREPARED_STATEMENTS', 'off', 'preparedStatements', false],
    ['TRUST_PROXY', 'true', 'trustProxy', true],
    ['TRUST_PROXY', '10.0.0.0/8,127.0.0.1', 'trustProxy', '10.0.0.0/8,127.0.0.1'],
    ['TRUST_PROXY', 'loopback, fd00::/8,10.0.0.0/255.0.0.0', 'trustProxy', 'loopback, fd00::/8,10.0.0.0/255.0.0.0'],
    ['ADMIN_EMAIL', 'ada@example.com', 'adminEmail', 'ada@example.com'],
    ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['SECRET_KEY', 'x'.repeat(32), 'secretKey', 'x'.repeat(32)],
    ['METRICS_TOKEN', 'x'.repeat(32), 'metrics', { token: 'x'.repeat(32) }],
    ['METRICS_PORT', '9400', 'metrics', { token: undefined, listener: { host: '127.0.0.1', port: 9400 } }],
    ['BUILD_COMMIT', '386c22e', 'commit', '386c22e'],
  ])('%s=%s gives %s %p', (name, value, key, expected) =>
    expect(loadConfiguration({ [name]: value })).toHaveProperty(key, expected),
  );

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', 'http'],
    ['PUBLIC_URL', 'example.com'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'https://example.com/?a=b'],
    ['DATABASE_URL', 'mysql://h/d'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_MIGRATION_URL', 'mysql://h/d'],
    ['DATABASE_MIGRATION_URL', 'postgres://owner@h/d'],
    ['DATABASE_POOL_SIZE', '0'],
    ['STATEMENT_TIMEOUT_MS', '99'],
    ['SPOOL_MB', '0'],
    ['BODY_MEMORY_MB', '31'],
    ['SESSION_IDLE_MINUTES', '0'],
    ['SESSION_ABSOLUTE_HOURS', '8761'],
    ['PREPARED_STATEMENTS', 'perhaps'],
    ['TRUST_PROXY', 'on'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', 'proxy.example.com'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['ADMIN_EMAIL', 'admin'],
    ['ADMIN_EMAIL', 'admin@localhost'],
    ['ADMIN_EMAIL', `admin@${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(60)}.example.com`],
    ['SECRET_KEY', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', 'two words that are long enough to be a token'],
    ['METRICS_PORT', '65536'],
    ['METRICS_HOST', '127.0.0.1'],
  ])('refuses %s=%s with a sentence that names the variable', (name, value) => {
    expect(() => loadConfiguration({ [name]: value })).toThrow(ConfigurationError);
    expect(() => loadConfiguration({ [name]: value })).toThrow(name);
  });

  it('serves no metrics unless it is told to', () => expect(loadConfiguration({}).metrics).toBeUndefined());

  it('serves metrics on the host of the API, or on another one', () => {
    const hosts = { HOST: '0.0.0.0', METRICS_PORT: '9400' };
    expect(loadConfiguration(hosts).metrics!.listener!.host).toBe('0.0.0.0');
    expect(loadConfiguration({ ...hosts, METRICS_HOST: '::1' }).metrics!.listener!.host).toBe('::1');
  });

  const provider = {
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'inventory',
    OIDC_CLIENT_SECRET: 'hunter2 of the client',
  };

  it('reads single sign-on with its defaults', () =>
    expect(loadConfiguration(provider)).toMatchObject({
      passwordLogin: true,
      singleSignOn: {
        issuer: 'https://login.example.com',
        label: 'Single sign-on',
        scopes: 'openid email profile',
        createProfiles: false,
        defaultRole: 'viewer',
        defaultAreas: [],
        groupsClaim: 'groups',
        roleMap: undefined,
        areaMap: undefined,
      },
    }));

  it('has no single sign-on without an issuer', () =>
    expect(loadConfiguration({ ...provider, OIDC_ISSUER: '' }).singleSignOn).toBeUndefined());

  it.each(['http://localhost:9000', 'http://127.0.0.1:9000/realm', 'http://[::1]:9000'])(
    'takes the issuer %s',
    (issuer) => expect(loadConfiguration({ ...provider, OIDC_ISSUER: issuer }).singleSignOn!.issuer).toBe(issuer),
  );

  it('reads maps of groups, whose names may contain =', () =>
    expect(
      loadConfiguration({
        ...provider,
        PASSWORD_LOGIN: 'false',
        OIDC_ROLE_MAP: 'admin=netops-admins, editor=cn=netops',
        OIDC_AREA_MAP: 'network=netops',
        OIDC_DEFAULT_AREAS: 'people, network',
      }),
    ).toMatchObject({
      passwordLogin: false,
      singleSignOn: {
        roleMap: [
          { gives: 'admin', group: 'netops-admins' },
          { gives: 'editor', group: 'cn=netops' },
        ],
        areaMap: [{ gives: 'network', group: 'netops' }],
        defaultAreas: ['people', 'network'],
      },
    }));

  it.each([
    ['OIDC_ISSUER', 'http://login.example.com'],
    ['OIDC_ISSUER', 'http://127.0.0.1.example.com'],
    ['OIDC_ISSUER', 'login.example.com'],
    ['OIDC_ISSUER', 'https://login.example.com?tenant=1'],
    ['OIDC_CLIENT_ID', ''],
    ['OIDC_CLIENT_SECRET', ''],
    ['OIDC_SCOPES', 'email profile'],
    ['OIDC_CREATE_PROFILES', 'perhaps'],
    ['OIDC_DEFAULT_ROLE', 'root'],
    ['OIDC_DEFAULT_AREAS', 'network,nowhere'],
    ['OIDC_ROLE_MAP', 'root=netops'],
    ['OIDC_ROLE_MAP', 'admin'],
    ['OIDC_ROLE_MAP', 'admin='],
    ['OIDC_AREA_MAP', 'nowhere=netops'],
    ['PASSWORD_LOGIN', 'never'],
  ])('refuses %s=%s beside a provider, in one sentence that names the variable', (name, value) => {
    const load = (): unknown => loadConfiguration({ ...provider, [name]: value });
    expect(load).toThrow(ConfigurationError);
    expect(load).toThrow(new RegExp(`^${name} [^\\n]+$`));
    expect(load).toThrow(expect.not.stringContaining('hunter2') as never);
  });

  it('refuses PASSWORD_LOGIN=false without single sign-on', () =>
    expect(() => loadConfiguration({ PASSWORD_LOGIN: 'false' })).toThrow(/^PASSWORD_LOGIN=false needs OIDC_ISSUER/));

  it.each(['SECRET_KEY', 'DATABASE_URL'])('does not repeat a refused %s, which may hold a secret', (name) =>
    expect(() => loadConfiguration({ [name]: 'hunter2' })).toThrow(expect.not.stringContaining('hunter2') as never),
  );

  it.each([
    ['production behind a proxy', { NODE_ENV: 'production', TRUST_PROXY: 'true' }, true],
    ['production behind a known proxy', { NODE_ENV: 'production', TRUST_PROXY: '10.0.0.1' }, true],
    ['production without a proxy', { NODE_ENV: 'production' }, false],
    ['development behind a proxy', { TRUST_PROXY: 'true' }, false],
  ])('cookies in %s: Secure %p', (_, environment, secure) =>
    expect(loadConfiguration(environment as NodeJS.ProcessEnv).secureCookies).toBe(secure),
  );
});
