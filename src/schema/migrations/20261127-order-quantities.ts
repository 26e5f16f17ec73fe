import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `ALTER TABLE "purchase_order_items" DROP CONSTRAINT "ck_quantity", ADD CONSTRAINT "ck_quantity" CHECK ("quantity" >= 1)`,
];

const down = [
  `ALTER TABLE "purchase_order_items" DROP CONSTRAINT "ck_quantity", ADD CONSTRAINT "ck_quantity" CHECK ("quantity" >= 1 AND "quantity" <= 1000000)`,
];

export class OrderQuantities1795791100000 implements MigrationInterface {
  readonly name = 'OrderQuantities1795791100000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
