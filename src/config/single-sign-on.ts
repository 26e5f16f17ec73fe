import type { Environment } from './environment.js';
import { AREAS, ROLES, type Area, type Role } from './roles.js';

/** Settings of single sign-on with OpenID Connect. */
export interface SingleSignOn {
  /** URL of the provider, exactly as in its discovery document and its id tokens. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Text of the link in Swagger UI. */
  label: string;
  /** Separated by spaces; `openid` is among them. */
  scopes: string;
  /** Whether a person without a profile gets one. */
  createProfiles: boolean;
  defaultRole: Role;
  defaultAreas: readonly Area[];
  /** Name of the claim that lists the groups of a person. */
  groupsClaim: string;
  /** Role of each group; undefined if the provider does not decide the roles. */
  roleMap?: GroupMap<Role>;
  /** Areas of each group; undefined if the provider does not decide the areas. */
  areaMap?: GroupMap<Area>;
}

/** The rights that each group gives its members. */
type GroupMap<T extends string> = readonly { group: string; gives: T }[];

const SCOPES = 'openid email profile';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * The settings of single sign-on, or undefined if `OIDC_ISSUER` is unset.
 * @throws the fault of a variable, as a sentence with its name
 */
export function loadSingleSignOn(env: Environment): SingleSignOn | undefined {
  const issuer = env.text('OIDC_ISSUER');
  if (issuer === undefined) return undefined;
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe || url.search || url.hash || url.username || url.password) {
    throw env.fault(
      `OIDC_ISSUER must be an https URL without a query (http is accepted on a loopback address), not '${issuer}'`,
    );
  }
  const required = (name: string): string => {
    const value = env.text(name);
    if (value === undefined) throw env.fault(`${name} is required if OIDC_ISSUER is set`);
    return value;
  };
  const scopes = env.text('OIDC_SCOPES') ?? SCOPES;
  if (!scopes.split(/\s+/).includes('openid')) throw env.fault(`OIDC_SCOPES must contain openid, not '${scopes}'`);
  const defaultRole = env.text('OIDC_DEFAULT_ROLE') ?? 'viewer';
  if (!isOneOf(ROLES, defaultRole)) {
    throw env.fault(`OIDC_DEFAULT_ROLE must be one of ${ROLES.join(', ')}, not '${defaultRole}'`);
  }
  return {
    issuer,
    clientId: required('OIDC_CLIENT_ID'),
    clientSecret: required('OIDC_CLIENT_SECRET'),
    label: env.text('OIDC_LABEL') ?? 'Single sign-on',
    scopes: scopes.split(/\s+/).join(' '),
    createProfiles: env.flag('OIDC_CREATE_PROFILES', false),
    defaultRole,
    defaultAreas: areaList(env, 'OIDC_DEFAULT_AREAS'),
    groupsClaim: env.text('OIDC_GROUPS_CLAIM') ?? 'groups',
    roleMap: groupMap(env, 'OIDC_ROLE_MAP', ROLES),
    areaMap: groupMap(env, 'OIDC_AREA_MAP', AREAS),
  };
}

const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  (values as readonly string[]).includes(value);

const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

function areaList(env: Environment, name: string): Area[] {
  return entriesOf(env.text(name) ?? '').map((area) => {
    if (!isOneOf(AREAS, area)) throw env.fault(`${name} must be a list of ${AREAS.join(', ')}, not '${area}'`);
    return area;
  });
}

/** `admin=netops-admins,editor=netops`. A group name may contain `=`, but no comma. */
function groupMap<T extends string>(env: Environment, name: string, values: readonly T[]): GroupMap<T> | undefined {
  const text = env.text(name);
  if (text === undefined) return undefined;
  return entriesOf(text).map((entry) => {
    const [, gives, group] = /^([^=]*)=(.*)$/.exec(entry)?.map((part) => part.trim()) ?? [];
    if (!group || gives === undefined)
      throw env.fault(`${name} must be a list such as ${values[0]}=group, not '${entry}'`);
    if (!isOneOf(values, gives)) {
      throw env.fault(`${name} must map groups to ${values.join(', ')}, not to '${gives}'`);
    }
    return { group, gives };
  });
}
