import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isEmailAddress, MUST_BE_EMAIL } from './email-address.js';
import type { Environment } from './environment.js';
import { integerIn } from './integer.js';
import { loadMetrics, type MetricsSettings } from './metrics.js';
import { loadSingleSignOn, type SingleSignOn } from './single-sign-on.js';

/** The settings from the environment, typed. Nothing else reads `process.env`. */
export interface Configuration {
  host: string;
  port: number;
  /** Address at which clients reach the service, without a trailing slash. If it is absent, the address of each request counts. */
  publicUrl?: string;
  /** Directory of the embedded database, and of the secret key if none is configured. */
  dataDir: string;
  /** Connection string of a PostgreSQL server. Without it the service uses the embedded database. */
  databaseUrl?: string;
  /** The same database with the role that owns its tables, if the service runs as another role. */
  databaseMigrationUrl?: string;
  /** Maximum number of connections to the server. */
  databasePoolSize: number;
  /** Milliseconds after which the server cancels a statement. */
  statementTimeout: number;
  /** Whether there is no pooler, or one that supports prepared statements. If absent, the service finds out. */
  preparedStatements?: boolean;
  /** Megabytes of the temporary file that long responses are sent from. */
  spool: number;
  /** Megabytes of request bodies that the process holds at once. */
  bodyMemory: number;
  /** Whether a start adds missing entries of the shipped catalogue. If the first start does not, no later one does. */
  catalogue: boolean;
  adminEmail: string;
  adminPassword?: string;
  /** Encrypts secrets of records. Without it the first start creates a key in the data directory. */
  secretKey?: string;
  /** OpenID Connect; absent if it is not configured. */
  singleSignOn?: SingleSignOn;
  /** Whether profiles may log in with their passwords. */
  passwordLogin: boolean;
  sessionIdleMinutes: number;
  sessionAbsoluteHours: number;
  /** Requests per minute and session; 0 for no limit. */
  rateLimit: number;
  /** Days that change log entries are kept; unlimited if absent. */
  changeLogDays?: number;
  /** Whether `/mcp` is served, for language models. */
  mcp: boolean;
  /** Whether webhooks and calendars are sent. If absent, they are, unless the database is a copy. `true` says that it is not a copy. */
  outbound?: boolean;
  /** Which addresses webhooks may be sent to, beside public ones over https. */
  webhooks: { allowLoopback: boolean; allowPrivate: boolean; allowHttp: boolean };
  /** Fastify's `trustProxy` for `X-Forwarded-*` headers: false, true, or a list of addresses. */
  trustProxy: boolean | string;
  /** Whether cookies always have the attribute `Secure`. */
  secureCookies: boolean;
  logLevel: string;
  /** Metrics for Prometheus; absent if they are not served. */
  metrics?: MetricsSettings;
  /** The commit that the service was built from, if the operator says so. */
  commit?: string;
}

/** Directory of the embedded database, unless `DATA_DIR` names another one. */
export const DEFAULT_DIRECTORY = 'data';

/** Name of the file in the data directory with the secret key, if none is configured. */
export const KEY_FILE = 'secret.key';

/** Characters of the secret key. */
export const SHORTEST_KEY = 32;

export class ConfigurationError extends Error {}

/** Maximum length of an email address in characters, as in a profile. */
const MAX_EMAIL = 255;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Whether Fastify takes a text as addresses and networks of proxies. */
const areProxies = (list: string): boolean =>
  list.split(',').every((entry) => {
    const [address = '', length, ...more] = entry.trim().split('/');
    if (['loopback', 'linklocal', 'uniquelocal'].includes(entry.trim())) return true;
    const version = isIP(address);
    const isLength = length === undefined || integerIn(length, 1, version === 4 ? 32 : 128) !== undefined;
    return version > 0 && more.length === 0 && (isLength || (version === 4 && isIP(length) === 4));
  });

/** Whether paths of the service can be appended to an address. */
function isBaseUrl(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return /^https?:\/\//i.test(address) && url !== undefined && !/[?#@\s]/.test(address);
}

/**
 * @param defaults where they are not the usual ones
 * @throws ConfigurationError that names the variable and the values it accepts
 */
export function loadConfiguration(
  env: NodeJS.ProcessEnv = process.env,
  defaults = { dataDir: DEFAULT_DIRECTORY },
): Configuration {
  // An empty variable, as compose files set it, counts as unset.
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    const number = integerIn(value, min, max);
    if (number === undefined) {
      throw new ConfigurationError(`${name} must be an integer between ${min} and ${max}, not '${value}'`);
    }
    return number;
  };
  const flag = (name: string, fallback: boolean): boolean => {
    const value = text(name);
    if (value === undefined) return fallback;
    if (!['true', 'false', '1', '0', 'on', 'off'].includes(value)) {
      throw new ConfigurationError(`${name} must be true or false, not '${value}'`);
    }
    return ['true', '1', 'on'].includes(value);
  };

  const connection = (name: string): string | undefined => {
    const url = text(name);
    if (url !== undefined && !/^postgres(?:ql)?:\/\//.test(url)) {
      throw new ConfigurationError(`${name} must start with postgres:// or postgresql://`);
    }
    return url;
  };

  const publicUrl = text('PUBLIC_URL')?.replace(/(?<!\/)\/+$/, '');
  if (publicUrl !== undefined && !isBaseUrl(publicUrl)) {
    throw new ConfigurationError(
      'PUBLIC_URL must be an http or https address without a query, such as https://example.com',
    );
  }
  const databaseUrl = connection('DATABASE_URL');
  const databaseMigrationUrl = connection('DATABASE_MIGRATION_URL');
  if (databaseMigrationUrl !== undefined && databaseUrl === undefined) {
    throw new ConfigurationError(
      'DATABASE_MIGRATION_URL needs DATABASE_URL, which names the role that the service runs as',
    );
  }
  const secretKey = text('SECRET_KEY');
  if (secretKey !== undefined && secretKey.length < SHORTEST_KEY) {
    throw new ConfigurationError(`SECRET_KEY must be at least ${SHORTEST_KEY} characters long`);
  }
  const adminEmail = text('ADMIN_EMAIL') ?? 'admin@example.com';
  const isTooLong = adminEmail.length > MAX_EMAIL;
  if (isTooLong || !isEmailAddress(adminEmail)) {
    const reason = isTooLong ? `must be at most ${MAX_EMAIL} characters long` : MUST_BE_EMAIL;
    throw new ConfigurationError(`ADMIN_EMAIL ${reason}, not '${adminEmail}'`);
  }
  const environment: Environment = { text, integer, flag, fault: (sentence) => new ConfigurationError(sentence) };
  const singleSignOn = loadSingleSignOn(environment);
  const passwordLogin = flag('PASSWORD_LOGIN', true);
  if (!passwordLogin && !singleSignOn) {
    throw new ConfigurationError('PASSWORD_LOGIN=false needs OIDC_ISSUER: otherwise nobody could log in');
  }
  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) throw new ConfigurationError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
  const host = text('HOST') ?? '127.0.0.1';
  const proxy = text('TRUST_PROXY') ?? 'false';
  const trustProxy = proxy === 'true' ? true : proxy === 'false' ? false : proxy;
  if (typeof trustProxy === 'string' && !areProxies(trustProxy)) {
    throw new ConfigurationError(
      `TRUST_PROXY must be true, false, or a list of addresses and networks such as 10.0.0.1,10.1.0.0/16, not '${trustProxy}'`,
    );
  }
  return {
    host,
    port: integer('PORT', 3000, 0, 65_535),
    publicUrl,
    dataDir: resolve(text('DATA_DIR') ?? defaults.dataDir),
    databaseUrl,
    databaseMigrationUrl,
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 1, 1000),
    statementTimeout: integer('STATEMENT_TIMEOUT_MS', 15_000, 100, 3_600_000),
    preparedStatements: text('PREPARED_STATEMENTS') === undefined ? undefined : flag('PREPARED_STATEMENTS', true),
    spool: integer('SPOOL_MB', 1024, 1, 1_048_576),
    // Half of it must hold the largest body.
    bodyMemory: integer('BODY_MEMORY_MB', 64, 32, 65_536),
    catalogue: flag('CATALOGUE', true),
    mcp: flag('MCP', true),
    adminEmail,
    // Not trimmed: leading and trailing blanks are part of a password.
    adminPassword: text('ADMIN_PASSWORD') && env.ADMIN_PASSWORD,
    secretKey,
    singleSignOn,
    passwordLogin,
    sessionIdleMinutes: integer('SESSION_IDLE_MINUTES', 30, 1, 525_600),
    sessionAbsoluteHours: integer('SESSION_ABSOLUTE_HOURS', 12, 1, 8760),
    rateLimit: integer('RATE_LIMIT_PER_MINUTE', isLoopback(host) ? 0 : 6000, 0, 1_000_000),
    changeLogDays: text('CHANGE_LOG_DAYS') === undefined ? undefined : integer('CHANGE_LOG_DAYS', 0, 1, 36_500),
    outbound: text('OUTBOUND') === undefined ? undefined : flag('OUTBOUND', true),
    webhooks: {
      allowLoopback: flag('WEBHOOK_ALLOW_LOOPBACK', false),
      allowPrivate: flag('WEBHOOK_ALLOW_PRIVATE', true),
      allowHttp: flag('WEBHOOK_ALLOW_HTTP', false),
    },
    trustProxy,
    secureCookies: trustProxy !== false && text('NODE_ENV') === 'production',
    logLevel,
    metrics: loadMetrics(environment, host),
    commit: text('BUILD_COMMIT'),
  };
}
