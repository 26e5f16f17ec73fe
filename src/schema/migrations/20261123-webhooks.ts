import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `CREATE TABLE "webhooks" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "name" character varying(255) NOT NULL, "url" text NOT NULL, "resources" text array NOT NULL DEFAULT '{}', "actions" text array NOT NULL DEFAULT '{}', "fields" text array NOT NULL DEFAULT '{}', "conditions" jsonb, "format" character varying(32) NOT NULL DEFAULT 'standard', "is_active" boolean NOT NULL DEFAULT true, "description" text, "deactivated_reason" character varying(255), "secret" text NOT NULL, "previous_secret" text, "previous_secret_until" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "ck_format" CHECK ("format" IN ('standard', 'text')), CONSTRAINT "pk_webhooks" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_webhooks_created_at_id" ON "webhooks"  ("created_at", "id") `,
  `CREATE TABLE "webhook_states" ("webhook_id" uuid NOT NULL, "since_id" uuid NOT NULL, "since_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "lease_owner" uuid, "lease_until" TIMESTAMP(3) WITH TIME ZONE, "last_success_at" TIMESTAMP(3) WITH TIME ZONE, "failing_since" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "pk_webhook_states" PRIMARY KEY ("webhook_id"))`,
  `CREATE TABLE "webhook_deliveries" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "webhook_id" uuid NOT NULL, "position" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "event_id" text NOT NULL, "type" text NOT NULL, "resource" text, "record_id" uuid, "entry_id" uuid, "entry_at" TIMESTAMP(3) WITH TIME ZONE, "is_replay" boolean NOT NULL DEFAULT false, "status" text NOT NULL DEFAULT 'pending', "attempts" integer NOT NULL DEFAULT '0', "response_status" integer, "error" text, "duration_ms" integer, "next_attempt_at" TIMESTAMP(3) WITH TIME ZONE DEFAULT now(), "delivered_at" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "pk_webhook_deliveries" PRIMARY KEY ("id"))`,
  `CREATE UNIQUE INDEX "ix_webhook_deliveries_webhook_id_entry_id" ON "webhook_deliveries"  ("webhook_id", "entry_id") WHERE NOT is_replay`,
  `CREATE INDEX "ix_webhook_deliveries_created_at" ON "webhook_deliveries"  ("created_at") `,
  `CREATE INDEX "ix_webhook_deliveries_webhook_id_created_at_id" ON "webhook_deliveries"  ("webhook_id", "created_at", "id") `,
  `CREATE INDEX "ix_webhook_deliveries_next_attempt_at" ON "webhook_deliveries"  ("next_attempt_at") WHERE status = 'pending'`,
  `CREATE INDEX "ix_webhook_deliveries_webhook_id_record_id_position" ON "webhook_deliveries"  ("webhook_id", "record_id", "position") WHERE status = 'pending'`,
  `CREATE INDEX "ix_webhook_deliveries_webhook_id_position" ON "webhook_deliveries"  ("webhook_id", "position") WHERE status = 'pending'`,
  `ALTER TABLE "webhook_states" ADD CONSTRAINT "fk_webhook_states_webhook_id" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "fk_webhook_deliveries_webhook_id" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `SELECT log_records('webhooks', '', 'name', '{secret,previous_secret,previous_secret_until}', '{}', 't')`,
  `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_webhooks_search ON webhooks USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching webhooks will read all of it';
END
$$`,
  `CREATE INDEX ix_webhooks_name_order ON webhooks (name COLLATE "C", id)`,
];

const down = [
  `DELETE FROM record_counts WHERE table_name = 'webhooks'`,
  `DELETE FROM value_counts WHERE table_name = 'webhooks'`,
  `ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "fk_webhook_deliveries_webhook_id"`,
  `ALTER TABLE "webhook_states" DROP CONSTRAINT "fk_webhook_states_webhook_id"`,
  `DROP INDEX "public"."ix_webhook_deliveries_webhook_id_position"`,
  `DROP INDEX "public"."ix_webhook_deliveries_webhook_id_record_id_position"`,
  `DROP INDEX "public"."ix_webhook_deliveries_next_attempt_at"`,
  `DROP INDEX "public"."ix_webhook_deliveries_webhook_id_created_at_id"`,
  `DROP INDEX "public"."ix_webhook_deliveries_created_at"`,
  `DROP INDEX "public"."ix_webhook_deliveries_webhook_id_entry_id"`,
  `DROP TABLE "webhook_deliveries"`,
  `DROP TABLE "webhook_states"`,
  `DROP INDEX "public"."ix_webhooks_created_at_id"`,
  `DROP TABLE "webhooks"`,
];

export class Webhooks1795700000002 implements MigrationInterface {
  readonly name = 'Webhooks1795700000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
