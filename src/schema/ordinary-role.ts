import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../config/configuration.js';

/** Tables that the service reads, and that only migrations and the change log triggers write. */
const READ_ONLY = ['applied_functions', 'change_log', 'change_log_numbering', 'change_log_pruned', 'migrations'];

/** Functions that only the owner runs: for partitions of the change log, its continuation on another server, and triggers. */
const FUNCTIONS = [
  'prune_change_log(timestamptz, int)',
  'drop_change_log_month(timestamptz)',
  'extend_change_log()',
  'continue_change_log()',
  'rest_custom_fields()',
];

/**
 * Statements that grant the role what it lacks and revoke what it must not have; no rows if it is as it should be. A partition is
 * reached through its table only.
 */
const CHANGES = `WITH role AS (SELECT oid, quote_ident(rolname) AS name FROM pg_roles WHERE rolname = $1),
  tables AS (
    SELECT format('%I.%I', n.nspname, c.relname) AS name,
      CASE WHEN c.relispartition THEN '{}' WHEN c.relname = ANY($2) THEN '{SELECT}' ELSE '{DELETE,INSERT,SELECT,UPDATE}' END::text[] AS wanted,
      ARRAY(SELECT privilege_type FROM aclexplode(c.relacl), role WHERE grantee = role.oid ORDER BY 1) AS given
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND c.relowner = current_user::regrole AND n.nspname = current_schema()
  )
  SELECT format('GRANT USAGE ON SCHEMA %I TO %s', current_schema(), role.name) AS statement FROM role
    WHERE NOT has_schema_privilege(role.oid, current_schema(), 'USAGE')
  UNION ALL SELECT format('REVOKE ALL ON %s FROM %s', tables.name, role.name) FROM tables, role
    WHERE given <> wanted AND given <> '{}'
  UNION ALL SELECT format('GRANT %s ON %s TO %s', array_to_string(wanted, ', '), tables.name, role.name) FROM tables, role
    WHERE given <> wanted AND wanted <> '{}'
  UNION ALL SELECT format('GRANT EXECUTE ON FUNCTION %s TO %s', function, role.name)
    FROM role, unnest($3::text[]) function WHERE NOT has_function_privilege(role.oid, function, 'EXECUTE')`;

/**
 * Whether the role can do things that are reserved for the owner: by its own rights, by membership in another role, or by functions
 * that shadow ours.
 */
const TOO_MUCH = `SELECT pg_has_role(oid, current_user, 'MEMBER')
    OR EXISTS (SELECT FROM pg_partition_tree('change_log') log
      WHERE has_table_privilege(r.oid, log.relid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER'))
    OR has_schema_privilege(oid, current_schema(), 'CREATE') AS can
  FROM pg_roles r WHERE rolname = $1`;

/**
 * Allows the role of the service to use the tables, and to write the change log only through the triggers.
 * @param owner connected with the role that owns the tables
 * @throws ConfigurationError if the role could still write the change log itself
 */
export async function admitRole(owner: DataSource, role: string): Promise<void> {
  await owner.transaction(async (tx) => {
    for (const { statement } of await tx.query(CHANGES, [role, READ_ONLY, FUNCTIONS])) await tx.query(statement);
    const [{ can }] = await tx.query(TOO_MUCH, [role]);
    if (can) {
      throw new ConfigurationError(
        `The role ${role} of DATABASE_URL has rights that are reserved for the role of DATABASE_MIGRATION_URL: it is a superuser, a member of that role, or may create objects in its schema. Give DATABASE_URL a role of its own`,
      );
    }
  });
}
