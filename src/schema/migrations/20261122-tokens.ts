import type { MigrationInterface, QueryRunner } from 'typeorm';
import { trackRecords, untrackRecords } from './record-table.js';

/* Tokens, and the change log naming the token that a change was made with. */

const TABLE = `CREATE TABLE tokens (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    name varchar(255) NOT NULL,
    profile_id uuid NOT NULL,
    prefix varchar(255) NOT NULL,
    role varchar(32) NOT NULL,
    areas text[] NOT NULL,
    read_only boolean NOT NULL DEFAULT false,
    allowed_networks cidr[] NOT NULL DEFAULT '{}',
    expires_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    last_used_address varchar(255),
    secret_hash bytea NOT NULL,
    CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
    CONSTRAINT pk_tokens PRIMARY KEY (id),
    CONSTRAINT fk_tokens_profile_id FOREIGN KEY (profile_id) REFERENCES profiles (id) ON DELETE CASCADE
  )`;

// When a token was last used is no change of it: neither `updated_at` nor the change log takes notice.
const stamp = [
  'DROP TRIGGER tokens_stamp ON tokens',
  `CREATE TRIGGER tokens_stamp BEFORE UPDATE ON tokens FOR EACH ROW
  WHEN (OLD.last_used_at IS NOT DISTINCT FROM NEW.last_used_at) EXECUTE FUNCTION stamp_record()`,
];

// A token that is renamed is looked up anew too: the change log has its name.
const notifications = [
  `CREATE FUNCTION token_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_changes', OLD.profile_id::text);
  RETURN NULL;
END
$$`,
  `CREATE TRIGGER tokens_changes
  AFTER DELETE OR UPDATE OF name, profile_id, prefix, secret_hash, role, areas, read_only, allowed_networks, expires_at ON tokens
  FOR EACH ROW EXECUTE FUNCTION token_changes()`,
];

const up = [
  TABLE,
  'CREATE INDEX ix_tokens_created_at_id ON tokens (created_at, id)',
  'CREATE INDEX ix_tokens_profile_id ON tokens (profile_id)',
  'CREATE UNIQUE INDEX ix_tokens_prefix ON tokens (prefix)',
  'ALTER TABLE change_log ADD token_id uuid',
  'ALTER TABLE change_log ADD token_name varchar(255)',
  // What a token that leaked was used for. Changes made with a session cost nothing.
  'CREATE INDEX ix_change_log_token_id_created_at ON change_log (token_id, created_at) WHERE token_id IS NOT NULL',
  ...trackRecords('tokens', { secrets: ['secret_hash'], list: { lines: ['name'] } }),
  ...stamp,
  ...notifications,
];

const down = [
  ...untrackRecords('tokens'),
  'DROP TABLE tokens',
  'DROP FUNCTION token_changes()',
  'DROP INDEX ix_change_log_token_id_created_at',
  'ALTER TABLE change_log DROP COLUMN token_name',
  'ALTER TABLE change_log DROP COLUMN token_id',
];

/**
 * The function of the triggers that write the change log.
 * @param schema where the tables are: a function that acts as its owner must not be led elsewhere
 * @param hasTokens false: as it was before this migration
 */
function logChanges(schema: string, hasTokens: boolean): string {
  const when = (text: string): string => (hasTokens ? text : '');
  const entry = `id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor, request_id, transaction_id${when(', token_id, token_name')}`;
  const values = when(', token_id, token_name');
  const parameters = when(', $9, $10');
  const untracked = when(` AND b.key NOT IN ('last_used_at', 'last_used_address')`);
  const variables = when(`
  token_id constant uuid := attribution->>'tokenId';
  token_name constant text := left(attribution->>'tokenName', 255);`);
  return `CREATE OR REPLACE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  actor_id constant uuid := attribution->>'profileId';
  actor constant text := coalesce(attribution->>'email', 'system');
  request_id constant text := attribution->>'requestId';${variables}
  resource constant text := replace(TG_TABLE_NAME, '_', '-');
  area constant text := nullif(TG_ARGV[0], '');
  name constant text := TG_ARGV[1];
  secrets constant text[] := string_to_array(TG_ARGV[2], ',');
  transaction_id constant bigint := pg_current_xact_id()::text::bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO change_log (${entry}, new_values)
      SELECT change_log_id(at), at, at, 'create', resource, area, n.id, left(row->>name, 255), actor_id, actor, request_id, transaction_id${values},
        CASE WHEN secrets IS NULL THEN row ELSE withhold(row, secrets) END
      FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(new_rows) AS row FROM new_rows OFFSET 0) n;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO change_log (${entry}, old_values, new_values)
      SELECT change_log_id(at), at, at, 'update', resource, area, c.id, left(after->>name, 255), actor_id, actor, request_id, transaction_id${values},
        CASE WHEN secrets IS NULL THEN d.old ELSE withhold(d.old, secrets) END,
        CASE WHEN secrets IS NULL THEN d.new ELSE withhold(d.new, secrets) END
      FROM (
        SELECT id, change_time(n.updated_at) AS at, to_jsonb(o) AS before, to_jsonb(n) AS after
        FROM old_rows o JOIN new_rows n USING (id) OFFSET 0
      ) c
      CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(b.key, b.value) || jsonb_build_object('updated_at', before->'updated_at') AS old,
          jsonb_object_agg(b.key, after->b.key) AS new
        FROM jsonb_each(before) b WHERE b.key <> 'updated_at'${untracked} AND b.value::text <> (after->b.key)::text
      ) d
      WHERE d.old IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO change_log (${entry}, old_values)
      SELECT change_log_id(at), at, at, 'delete', resource, area, o.id, left(row->>name, 255), actor_id, actor, request_id, transaction_id${values},
        CASE WHEN secrets IS NULL THEN row ELSE withhold(row, secrets) END
      FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(old_rows) AS row FROM old_rows OFFSET 0) o;
  ELSE
    -- TRUNCATE has no transition table: the rows are read before they go.
    EXECUTE format(
      'INSERT INTO change_log (${entry}, old_values)
       SELECT change_log_id(at), at, at, ''delete'', $1, $2, o.id, left(row->>$3, 255), $4, $5, $6, $7${parameters}, withhold(row, coalesce($8, ''{}''))
       FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(t) AS row FROM %I.%I t OFFSET 0) o', TG_TABLE_SCHEMA, TG_TABLE_NAME)
      USING resource, area, name, actor_id, actor, request_id, transaction_id, secrets${values};
  END IF;
  RETURN NULL;
END
$$`;
}

export class Tokens1795314000000 implements MigrationInterface {
  name = 'Tokens1795314000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...up, logChanges(await schemaOf(runner), true)]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [logChanges(await schemaOf(runner), false), ...down]) await runner.query(statement);
  }
}

async function schemaOf(runner: QueryRunner): Promise<string> {
  const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [{ schema: string }];
  return schema;
}
