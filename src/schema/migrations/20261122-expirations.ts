import { SqlMigration } from './sql-migration.js';

/** Statuses that say that nothing is left to be done. What they mark can be any number of records and is never read. */
const SETTLED = ['retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed'];
const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** Indexes of what expires, without what is settled. */
const INDEXES: readonly [name: string, table: string, column: string, where: string][] = [
  // The licence position counts all licences but those of these two statuses, and is read with this index too.
  [
    'ix_software_licences_expiring',
    'software_licences',
    'expiry_date',
    "status IS NULL OR status NOT IN ('retired', 'expired')",
  ],
  ['ix_contracts_ending', 'contracts', 'end_date', `status NOT IN (${listed(SETTLED)})`],
  ['ix_contracts_notice', 'contracts', 'notice_date', `status NOT IN (${listed(SETTLED)})`],
  ['ix_renewals_due', 'renewals', 'renewal_date', `status IS NULL OR status NOT IN (${listed(SETTLED)})`],
  ['ix_assets_warranty', 'assets', 'warranty_until', `status NOT IN (${listed(SETTLED)})`],
  ['ix_purchase_orders_due', 'purchase_orders', 'expected_date', "status IN ('ordered', 'partially_received')"],
];

export class Expirations1795343000000 extends SqlMigration {
  readonly name = 'Expirations1795343000000';
  protected readonly statements = {
    up: INDEXES.map(([name, table, column, where]) => `CREATE INDEX ${name} ON ${table} (${column}) WHERE ${where}`),
    down: INDEXES.map(([name]) => `DROP INDEX ${name}`),
  };
}
