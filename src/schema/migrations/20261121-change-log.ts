import type { MigrationInterface, QueryRunner } from 'typeorm';
import { down, up } from '../../change-log/change-log.sql.js';
import * as matchedWords from '../../operations/incident/context/matched-words.sql.js';
import { countRecords } from '../record-counts.sql.js';

const table = [
  `CREATE TABLE change_log (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    action varchar(32) NOT NULL,
    resource varchar(255) NOT NULL,
    area varchar(255),
    record_id uuid NOT NULL,
    record_name varchar(255),
    actor_id uuid,
    actor varchar(255) NOT NULL,
    request_id varchar(255),
    old_values jsonb,
    new_values jsonb,
    transaction_id bigint NOT NULL,
    CONSTRAINT pk_change_log PRIMARY KEY (id),
    CONSTRAINT ck_action CHECK (action IN ('create', 'update', 'delete'))
  )`,
  'CREATE INDEX ix_change_log_created_at_id ON change_log (created_at, id)',
  'CREATE INDEX ix_change_log_record_id_id ON change_log (record_id, id)',
  'CREATE INDEX ix_change_log_actor_id_created_at ON change_log (actor_id, created_at)',
  'CREATE INDEX ix_change_log_request_id ON change_log (request_id)',
];

export class ChangeLog1795219200020 implements MigrationInterface {
  name = 'ChangeLog1795219200020';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...table, ...countRecords('change_log'), ...up, ...matchedWords.up])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [...matchedWords.down, ...down, 'DROP TABLE change_log']) await runner.query(statement);
    await runner.query(`DELETE FROM record_counts WHERE table_name = 'change_log'`);
  }
}
