import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Partitions of the change log that have no index for the order of the feed yet, each with the name of its own. */
const WITHOUT = `SELECT c.relname AS name, 'ix_' || c.relname || '_transaction_id_id' AS index
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'change_log'::regclass AND NOT EXISTS (
    SELECT FROM pg_index p JOIN pg_inherits a ON a.inhrelid = p.indexrelid
    WHERE p.indrelid = c.oid AND a.inhparent = to_regclass('ix_change_log_transaction_id_id')
  )`;

/**
 * The index that the feed of changes is read by. It is built partition by partition, without a lock that writers wait for, and
 * therefore not in one transaction. Every step may be repeated.
 */
export class FeedOrder1795700000001 implements MigrationInterface {
  readonly name = 'FeedOrder1795700000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.indexPartitions(runner);
    await runner.query(
      'CREATE INDEX IF NOT EXISTS ix_change_log_transaction_id_id ON ONLY change_log (transaction_id, id)',
    );
    // Those that were made meanwhile have none yet.
    const partitions = await this.indexPartitions(runner);
    for (const { index } of partitions) {
      await runner.query(`ALTER INDEX ix_change_log_transaction_id_id ATTACH PARTITION "${index}"`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_change_log_transaction_id_id');
  }

  private async indexPartitions(runner: QueryRunner): Promise<{ index: string }[]> {
    const partitions: { name: string; index: string }[] = await runner.query(WITHOUT);
    for (const { name, index } of partitions) {
      // What an interrupted build has left is not valid.
      const [left] = await runner.query(
        'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1))',
        [index],
      );
      if (left?.valid) continue;
      if (left) await runner.query(`DROP INDEX CONCURRENTLY "${index}"`);
      await runner.query(`CREATE INDEX CONCURRENTLY "${index}" ON "${name}" (transaction_id, id)`);
    }
    return partitions;
  }
}
