import { AddRouteConfig, routeConfigOf } from '../http/route-config.js';

/** Roles, each including those before it. */
export const ROLES = ['viewer', 'editor', 'manager', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Areas of the service, one per resource family. */
export const AREAS = ['operations', 'network', 'procurement', 'people'] as const;
export type Area = (typeof AREAS)[number];

/** The logged-in profile behind a request. */
export interface Caller {
  profileId: string;
  sessionId: string;
  email: string;
  role: Role;
  areas: readonly Area[];
}

/** What a route asks of its caller. A route that says nothing is closed to everybody. */
export interface AccessRule {
  /** Needs no session. */
  public?: boolean;
  /** The least role that may use it. */
  role?: Role;
  /** The area that the caller must have. */
  area?: Area;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessRule;
  }
}

/** Declares who may use a route. The guard reads it from the matched route, before a byte of the body is read. */
export const Access = (access: AccessRule): MethodDecorator => AddRouteConfig({ access });

/** What a handler's `@Access` asks of its caller. */
export const accessOf = (handler: object): AccessRule | undefined => routeConfigOf(handler).access;

/** A route that needs no session. */
export const Public = (): MethodDecorator => Access({ public: true });

export const hasRole = (caller: Caller, role: Role): boolean => ROLES.indexOf(caller.role) >= ROLES.indexOf(role);

/** Secrets of records, such as licence keys, are for managers and above. */
export const mayReadSecrets = (caller: Caller): boolean => hasRole(caller, 'manager');

/** Reading a family's records. Only operations is closed to those who have not its area: the others refer to each other. */
export const reading = (area: Area): AccessRule =>
  area === 'operations' ? { role: 'viewer', area } : { role: 'viewer' };

/** Creating, changing and deleting a family's records. */
export const writing = (area: Area, role: Role = 'editor'): AccessRule => ({ role, area });
