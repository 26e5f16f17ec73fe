import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../config/configuration.js';
import { migrations } from './migrations/index.js';

/** The migrations that the tables of 0.9.0 replace. */
export const REPLACED: readonly string[] = [
  'Baseline1795700000000',
  'FeedOrder1795700000001',
  'Webhooks1795700000002',
  'CoveredIndexes1795700000003',
  'UsedSignIns1795700000004',
  'NamedAddresses1795700000005',
  'FeedNumbering1795700000006',
  'Slugs1795700000007',
  'CalendarEvents1795700000008',
  'VlanRangeNames1795700000021',
  'RegionsCircuitsPowerMachines1795700000022',
  'PortKinds1795700000023',
  'CustomFields1795700000024',
  'EmailKeys1795700000025',
  'Cables1795700000026',
  'PowerTargets1795700000027',
  'CircuitDevices1795700000028',
  'RecordLinks1795700000029',
  'CustomValuesRestored1795700000030',
  'Responsibilities1795700000031',
  'Coverage1795700000032',
  'RunbookTargets1795700000033',
  'Exposure1795700000034',
  'FreePorts1795700000035',
  'LatestPurchases1795700000040',
  'PowerLost1795700000041',
  'RearPortLoops1795709506339',
  'OwnReferences1795709506340',
  'WhatCovers1795709578266',
  'CoverageSpansByKind1795720000000',
  'ContractDays1795758889482',
  'CustomReferencesOfDefinitions1795760000000',
  'CircuitDates1795760000010',
  'CableEndsTaken1795763542234',
  'RackUnits1795790576354',
  'HostsGone1795791023952',
  'OrderQuantities1795791100000',
  'TransitionRows1795791632076',
];

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/**
 * Takes over a database with every migration before 0.9.0: it already has the tables of 0.9.0, and is marked as such.
 * @throws ConfigurationError if it has others
 */
export async function takeOver(dataSource: DataSource): Promise<void> {
  const [{ found }] = await dataSource.query(`SELECT to_regclass('migrations') IS NOT NULL AS found`);
  const rows: { name: string }[] = found ? await dataSource.query('SELECT name FROM migrations') : [];
  const names = rows.map(({ name }) => name);
  const first = migrations[0]!.name;
  if (names.length === 0 || names.includes(first)) return;
  const missing = REPLACED.filter((name) => !names.includes(name));
  const strange = names.filter((name) => !REPLACED.includes(name));
  if (missing.length > 0 || strange.length > 0) {
    const reasons = [
      ...(missing.length > 0 ? [`lacks ${listed.format(missing)}`] : []),
      ...(strange.length > 0 ? [`has ${listed.format(strange)}, which this version does not know`] : []),
    ];
    throw new ConfigurationError(
      `This version cannot take over the database, because its migrations are not those before 0.9.0: it ${reasons.join(' and ')}`,
    );
  }
  await dataSource.transaction(async (tx) => {
    await tx.query('DELETE FROM migrations');
    await tx.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [/\d{13}$/.exec(first)![0], first]);
  });
}
