import { AREAS, ROLES, type Area, type Role } from '../config/roles.js';
import { AddRouteConfig } from '../http/route-config.js';

export { AREAS, ROLES, type Area, type Role };

export interface Rights {
  role: Role;
  areas: readonly Area[];
}

export type Credential =
  | { kind: 'session'; id: string }
  | {
      kind: 'token';
      id: string;
      name: string;
      /** Whether it is refused for methods that may write. */
      readOnly: boolean;
    };

/** The profile behind a request, with the rights that its credential gives. */
export interface Caller extends Rights {
  profileId: string;
  email: string;
  credential: Credential;
}

/** The requirements of a route. A route without a rule is closed to everybody. */
export interface AccessRule {
  /** Whether it needs no credential. */
  public?: boolean;
  /** The lowest role that may use it. */
  role?: Role;
  /** The area that the caller must have. */
  area?: Area;
  /** Whether it needs a session: tokens are refused, whatever their rights. */
  session?: true;
  /** Whether it changes nothing, whatever its method. Read-only tokens may then use it. */
  readsOnly?: true;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessRule;
  }
}

/**
 * Declares who may use a route, or the routes that a controller itself declares. The guard reads it from the matched route, before any
 * byte of the body.
 */
export const Access = (access: AccessRule): ClassDecorator & MethodDecorator => AddRouteConfig({ access });

/** A route without authentication. */
export const Public = (): ClassDecorator & MethodDecorator => Access({ public: true });

export const hasRole = (caller: Pick<Rights, 'role'>, role: Role): boolean =>
  ROLES.indexOf(caller.role) >= ROLES.indexOf(role);

/** The rights of a token: the lower role of the token and its profile, and the areas that both have. */
export const tokenRights = (profile: Rights, token: Rights): Rights => ({
  role: hasRole(profile, token.role) ? token.role : profile.role,
  areas: profile.areas.filter((area) => token.areas.includes(area)),
});

export const meets = (caller: Caller, { role, area }: AccessRule): boolean =>
  role !== undefined && hasRole(caller, role) && (area === undefined || caller.areas.includes(area));

/** Secrets of records, such as licence keys, are for managers and above. */
export const mayReadSecrets = (caller: Caller): boolean => hasRole(caller, 'manager');

/** Access rule for reading the records of a family. Only operations needs its area, because the other families refer to each other. */
export const reading = (area: Area): AccessRule =>
  area === 'operations' ? { role: 'viewer', area } : { role: 'viewer' };

/** Creating, changing and deleting a family's records. */
export const writing = (area: Area, role: Role = 'editor'): AccessRule => ({ role, area });
