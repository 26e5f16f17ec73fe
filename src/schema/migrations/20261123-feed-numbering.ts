import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the change log go on in its order on a server whose transactions have other numbers. */
export class FeedNumbering1795700000006 implements MigrationInterface {
  readonly name = 'FeedNumbering1795700000006';

  up(runner: QueryRunner): Promise<void> {
    return execute(runner, 'up.sql');
  }

  down(runner: QueryRunner): Promise<void> {
    return execute(runner, 'down.sql');
  }
}

async function execute(runner: QueryRunner, file: string): Promise<void> {
  // A function that acts as its owner must not be led to tables of others.
  await runner.query(`SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`);
  await runner.query(readFileSync(join(__dirname, '20261123-feed-numbering', file), 'utf8'));
}
