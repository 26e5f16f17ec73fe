import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SRC = join(__dirname, '../../src');
const TABLE = /^@RecordEntity\('(\w+)'/gm;
const WRITE = /\b(?:INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO|UPDATE)\s+(?:ONLY\s+)?([a-z_]+)\b/g;
const FAMILY = /^(?:network|operations|people|procurement)\//;

/** Actions that write rows of another record, which they keep the rules of. */
const ALSO: Readonly<Record<string, string>> = {
  'network/ip-address/ip-addresses.service.ts': 'virtual_machine_addresses',
  'procurement/booking/booking-actions.service.ts': 'asset_assignments',
  'procurement/purchase-order/receive/receiving.ts': 'receipts',
  'procurement/purchase-order/receive-stock/receive-stock.service.ts': 'stock_movements',
};

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));

/** The folder of each record of a family, by its table. */
const folders = new Map(
  sources
    .filter(({ file }) => FAMILY.test(file))
    .flatMap(({ file, text }) => [...text.matchAll(TABLE)].map(([, table]) => [table!, dirname(file)] as const)),
);

/** The tables of records that a file writes, although their services are elsewhere. */
const foreignTables = ({ file, text }: (typeof sources)[number]): string[] =>
  [...text.matchAll(WRITE)]
    .map(([, table]) => table!)
    .filter((table) => folders.has(table) && !file.startsWith(`${folders.get(table)}/`));

it('SQL that writes rows of a record is next to its service, so that no write passes by its rules', () => {
  expect(folders.size).toBeGreaterThan(50);
  const foreign = sources.flatMap((source) => [...new Set(foreignTables(source))].map((table) => [source.file, table]));
  expect(Object.fromEntries(foreign)).toEqual(ALSO);
  expect(foreign).toHaveLength(Object.keys(ALSO).length);
});
