/** Migrations in the order they run. A published one is never changed. */
export const migrations: (new () => import('typeorm').MigrationInterface)[] = [];
