import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * The numbers in the texts that addresses are searched by. The trigrams of `host-4711.` are in many addresses, the number 4711 is
 * in few. Only whole numbers are found, so this serves searches in which a number has an end on both sides. The numbers are in the
 * index of the trigrams: in an index of their own, PostgreSQL would intersect the two, and still read what the trigrams find. They
 * are its first column, because the first condition leads a scan of the index, and the others skip to what it has found.
 */

// Inlined into the expression of the index, so that it costs no call.
const FUNCTION = `CREATE OR REPLACE FUNCTION numbers_in(texts text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_remove(regexp_split_to_array(texts, '[^0-9]+'), '')
$$`;

const NUMBERS = `numbers_in(coalesce(address::text, '') || ' ' || coalesce(dns_name, '') || ' ' || coalesce(description, ''))`;

/** @param how CONCURRENTLY or nothing */
const index = (name: string, how: string, first: string): string =>
  `CREATE INDEX ${how} ${name} ON ip_addresses USING gin
  (${first}dns_name gin_trgm_ops, (address::text) gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256)`;

// Where pg_trgm is not available there is no index to search with.
const EXISTING = `SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'ix_ip_addresses_search'`;

export class AddressNumbers1795370000001 implements MigrationInterface {
  readonly name = 'AddressNumbers1795370000001';
  // An index that is built concurrently needs to be outside of a transaction. Each step may be repeated.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTION);
    const existing: object[] = await runner.query(EXISTING);
    const [{ half }] = await runner.query(`SELECT to_regclass('ix_ip_addresses_search_numbers') IS NOT NULL AS half`);
    if (existing.length === 0 && !half) return;
    await runner.query('SET statement_timeout = 0');
    await runner.query('SET lock_timeout = 0');
    try {
      // Searches have an index at any time.
      if (existing.length > 0) {
        await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_ip_addresses_search_numbers');
        await runner.query(index('ix_ip_addresses_search_numbers', 'CONCURRENTLY', `${NUMBERS}, `));
        await runner.query('DROP INDEX CONCURRENTLY ix_ip_addresses_search');
      }
      await runner.query('ALTER INDEX ix_ip_addresses_search_numbers RENAME TO ix_ip_addresses_search');
      // How rare a number is.
      await runner.query('ANALYZE ip_addresses');
    } finally {
      await runner.query('RESET lock_timeout');
      await runner.query('RESET statement_timeout');
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const existing: object[] = await runner.query(EXISTING);
    if (existing.length > 0) {
      await runner.query('DROP INDEX ix_ip_addresses_search');
      await runner.query(index('ix_ip_addresses_search', '', ''));
    }
    await runner.query('DROP FUNCTION numbers_in(text)');
  }
}
