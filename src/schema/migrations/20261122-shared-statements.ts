import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * Requests of one caller may share a statement. The change log names for each record the request that changed it:
 * `inventory.by` may have `requestIds`, an object of their ids by the ids of the records.
 *
 * It only replaces a function, which takes no lock on a table.
 */

/**
 * The function of the triggers that write the change log.
 * @param schema where the tables are: a function that acts as its owner must not be led elsewhere
 * @param isShared false: as it was before this migration
 */
function logChanges(schema: string, isShared: boolean): string {
  const entry =
    'id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor, request_id, transaction_id, token_id, token_name';
  const requestOf = (record: string): string =>
    isShared
      ? `CASE WHEN request_ids IS NULL THEN request_id ELSE coalesce(request_ids->>(${record}.id::text), request_id) END`
      : 'request_id';
  const variables = isShared
    ? `
  request_ids constant jsonb := attribution->'requestIds';`
    : '';
  return `CREATE OR REPLACE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  actor_id constant uuid := attribution->>'profileId';
  actor constant text := coalesce(attribution->>'email', 'system');
  request_id constant text := attribution->>'requestId';${variables}
  token_id constant uuid := attribution->>'tokenId';
  token_name constant text := left(attribution->>'tokenName', 255);
  resource constant text := replace(TG_TABLE_NAME, '_', '-');
  area constant text := nullif(TG_ARGV[0], '');
  name constant text := TG_ARGV[1];
  secrets constant text[] := string_to_array(TG_ARGV[2], ',');
  transaction_id constant bigint := pg_current_xact_id()::text::bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO change_log (${entry}, new_values)
      SELECT change_log_id(at), at, at, 'create', resource, area, n.id, left(row->>name, 255), actor_id, actor, ${requestOf('n')}, transaction_id, token_id, token_name,
        CASE WHEN secrets IS NULL THEN row ELSE withhold(row, secrets) END
      FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(new_rows) AS row FROM new_rows OFFSET 0) n;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO change_log (${entry}, old_values, new_values)
      SELECT change_log_id(at), at, at, 'update', resource, area, c.id, left(after->>name, 255), actor_id, actor, ${requestOf('c')}, transaction_id, token_id, token_name,
        CASE WHEN secrets IS NULL THEN d.old ELSE withhold(d.old, secrets) END,
        CASE WHEN secrets IS NULL THEN d.new ELSE withhold(d.new, secrets) END
      FROM (
        SELECT id, change_time(n.updated_at) AS at, to_jsonb(o) AS before, to_jsonb(n) AS after
        FROM old_rows o JOIN new_rows n USING (id) OFFSET 0
      ) c
      CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(b.key, b.value) || jsonb_build_object('updated_at', before->'updated_at') AS old,
          jsonb_object_agg(b.key, after->b.key) AS new
        FROM jsonb_each(before) b WHERE b.key <> 'updated_at' AND b.key NOT IN ('last_used_at', 'last_used_address') AND b.value::text <> (after->b.key)::text
      ) d
      WHERE d.old IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO change_log (${entry}, old_values)
      SELECT change_log_id(at), at, at, 'delete', resource, area, o.id, left(row->>name, 255), actor_id, actor, ${requestOf('o')}, transaction_id, token_id, token_name,
        CASE WHEN secrets IS NULL THEN row ELSE withhold(row, secrets) END
      FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(old_rows) AS row FROM old_rows OFFSET 0) o;
  ELSE
    -- TRUNCATE has no transition table: the rows are read before they go.
    EXECUTE format(
      'INSERT INTO change_log (${entry}, old_values)
       SELECT change_log_id(at), at, at, ''delete'', $1, $2, o.id, left(row->>$3, 255), $4, $5, $6, $7, $9, $10, withhold(row, coalesce($8, ''{}''))
       FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(t) AS row FROM %I.%I t OFFSET 0) o', TG_TABLE_SCHEMA, TG_TABLE_NAME)
      USING resource, area, name, actor_id, actor, request_id, transaction_id, secrets, token_id, token_name;
  END IF;
  RETURN NULL;
END
$$`;
}

export class SharedStatements1795360000000 implements MigrationInterface {
  readonly name = 'SharedStatements1795360000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(logChanges(await schemaOf(runner), true));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(logChanges(await schemaOf(runner), false));
  }
}

async function schemaOf(runner: QueryRunner): Promise<string> {
  const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [{ schema: string }];
  return schema;
}
