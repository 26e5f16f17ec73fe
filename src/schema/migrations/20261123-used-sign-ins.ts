import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `CREATE TABLE "used_sign_ins" ("state_hash" text NOT NULL, "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "pk_used_sign_ins" PRIMARY KEY ("state_hash"))`,
];

const down = [`DROP TABLE "used_sign_ins"`];

export class UsedSignIns1795700000004 implements MigrationInterface {
  readonly name = 'UsedSignIns1795700000004';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
