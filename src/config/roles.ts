/** Roles, each including those before it. */
export const ROLES = ['viewer', 'editor', 'manager', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Areas of the service, one per resource family. */
export const AREAS = ['operations', 'network', 'procurement', 'people'] as const;
export type Area = (typeof AREAS)[number];
