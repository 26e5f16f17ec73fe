import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * The numbers in the texts that addresses are searched by. The trigrams of `host-4711.` are in many addresses, the number 4711 is
 * in few. Only whole numbers are found, so the index serves searches in which a number has an end on both sides.
 */

// Inlined into the expression of the index, so that it costs no call.
const FUNCTION = `CREATE OR REPLACE FUNCTION numbers_in(texts text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_remove(regexp_split_to_array(texts, '[^0-9]+'), '')
$$`;

const INDEX = `CREATE INDEX CONCURRENTLY ix_ip_addresses_numbers ON ip_addresses USING gin
  (numbers_in(coalesce(address::text, '') || ' ' || coalesce(dns_name, '') || ' ' || coalesce(description, '')))
  WITH (gin_pending_list_limit = 256)`;

export class AddressNumbers1795370000001 implements MigrationInterface {
  readonly name = 'AddressNumbers1795370000001';
  // An index that is built concurrently needs to be outside of a transaction. Each step may be repeated.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SET statement_timeout = 0');
    await runner.query('SET lock_timeout = 0');
    try {
      for (const statement of [
        FUNCTION,
        'DROP INDEX CONCURRENTLY IF EXISTS ix_ip_addresses_numbers',
        INDEX,
        // Without statistics of its numbers the index would be used for those that are in every address.
        'ANALYZE ip_addresses',
      ]) {
        await runner.query(statement);
      }
    } finally {
      await runner.query('RESET lock_timeout');
      await runner.query('RESET statement_timeout');
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of ['DROP INDEX ix_ip_addresses_numbers', 'DROP FUNCTION numbers_in(text)'])
      await runner.query(statement);
  }
}
