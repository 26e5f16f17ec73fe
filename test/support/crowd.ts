import type { Api, TestService } from './app.js';
import { raw, sql } from '../../src/database/sql.js';

/* An estate in three sizes, for tests of the layout. */

export interface Estate {
  site: string;
  rack: string;
  order: string;
  changed: string;
  prefix: string;
}

/** Mixed text directions, an unbreakable word, and markup. */
const LONG_NAME = `שרת ראשי 10-A ${'W'.repeat(60)} <b>${'long name '.repeat(16)}`.slice(0, 255);
const LONG_TEXT = `${'unbreakable'.repeat(400)} ${'and many words '.repeat(380)}`.slice(0, 10_000);

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

interface Size {
  devices: number;
  rosters: number;
  addresses: number;
  expirations: number;
  items: number;
  changes: number;
  isLong: boolean;
}
export const ORDINARY: Size = {
  devices: 6,
  rosters: 3,
  addresses: 60,
  expirations: 8,
  items: 3,
  changes: 4,
  isLong: false,
};
export const CROWDED: Size = {
  devices: 40,
  rosters: 30,
  addresses: 10_000,
  expirations: 300,
  items: 60,
  changes: 500,
  isLong: true,
};

export async function crowd({ database }: TestService, admin: Api, size: Size): Promise<Estate> {
  const label = size.isLong ? LONG_NAME : 'Amsterdam';
  const many = async (path: string, count: number, body: (index: number) => object): Promise<{ id: string }[]> => {
    const operations = Array.from({ length: count }, (_, index) => ({ op: 'create', data: body(index) }));
    const { status, body: answer } = await admin.post(`${path}/bulk`, { operations });
    if (status !== 200) throw new Error(JSON.stringify(answer).slice(0, 2000));
    return answer.data.results;
  };
  const named = (name: string, index: number): string =>
    size.isLong && index % 7 === 0 ? `${name}-${index} ${LONG_NAME}`.slice(0, 255) : `${name}-${index}`;

  const site = await admin.make('/api/sites', {
    name: label,
    facility: size.isLong ? LONG_NAME : 'AMS1',
    description: size.isLong ? LONG_TEXT : 'Two rooms',
  });
  const changed = await admin.make('/api/sites', { name: size.isLong ? 'Changed often' : 'Changed' });
  // One after the other, so that each is a separate change.
  for (let index = 0; index < size.changes; index++)
    await admin.patch(`/api/sites/${changed.id}`, {
      description: `${size.isLong && index % 50 === 0 ? LONG_TEXT : ''}${index}`,
    });
  const people = await many('/api/people', Math.max(3, size.rosters), (index) => ({
    fullName: named('Ada Lovelace', index),
  }));
  const role = await admin.make('/api/device-roles', { name: named('Distribution', 0) });
  const type = await admin.make('/api/device-types', { model: named('Type', 0), uHeight: 1, isFullDepth: true });
  const rack = await admin.make('/api/racks', { name: label, units: 42, siteId: site.id });
  const devices = await many('/api/devices', size.devices, (index) => ({
    name: named('core-switch', index),
    siteId: site.id,
    rackId: rack.id,
    rackPosition: index + 1,
    deviceTypeId: type.id,
    deviceRoleId: role.id,
    status: ['active', 'offline', 'planned'][index % 3],
  }));
  if (size.isLong) await many('/api/racks', 11, (index) => ({ name: `B${index}`, units: 42, siteId: site.id }));

  const shifts = 4;
  await many('/api/on-call-schedules', size.rosters * shifts, (index) => ({
    name: `Shift ${index}`,
    rotation: named('Roster', Math.floor(index / shifts)),
    personId: index % 11 === 5 ? null : people[index % people.length]!.id,
    startTime: day((index % shifts) * 2 - 1),
    endTime: day((index % shifts) * 2 + 1),
  }));
  const targets = async (path: string, at: object): Promise<void> => {
    const made = await admin.make(path, { name: size.isLong ? LONG_NAME : 'Uplink', ...at });
    await admin.make(`${path}/${made.id}/targets`, { resource: 'devices', recordId: devices[0]!.id });
  };
  for (let index = 0; index < (size.isLong ? 12 : 1); index++) {
    await targets('/api/incidents', { severity: 'sev2', detectedAt: day(-index) });
    await targets('/api/maintenance-windows', { startTime: day(-0.1), endTime: day(0.2) });
    await targets('/api/change-requests', { scheduledFor: day(0), risk: 'high' });
  }

  const vendor = await admin.make('/api/vendors', { name: label });
  await many('/api/contracts', size.expirations, (index) => ({
    name: named('Support', index),
    endDate: day(index % 40).slice(0, 10),
    cost: String(100 + index),
    vendorId: vendor.id,
  }));
  const order = await admin.make('/api/purchase-orders', {
    orderNumber: size.isLong ? `PO-${LONG_NAME}`.slice(0, 255) : 'PO-1',
    vendorId: vendor.id,
    siteId: site.id,
    items: Array.from({ length: size.items }, (_, index) => ({
      name: named('Access switch', index),
      quantity: index + 1,
      unitPrice: '1250.00',
    })),
  });

  const block = size.isLong ? 64 : 32;
  const prefix = await admin.make('/api/prefixes', { prefix: `10.${block}.0.0/16`, siteId: site.id });
  await many('/api/prefixes', Math.max(2, Math.ceil(size.addresses / 250)), (index) => ({
    prefix: `10.${block}.${index}.0/24`,
    description: named('Servers', index),
  }));
  await database.db.query(
    sql`INSERT INTO ip_addresses (family, address, dns_name)
     SELECT 4, ('10.${raw(block)}.' || i / 250 || '.' || i % 250 + 1 || '/24')::inet, 'host-' || i || '.example.com'
     FROM generate_series(0, ${raw(size.addresses - 1)}) i`,
  );
  return { site: site.id, rack: rack.id, order: order.id, changed: changed.id, prefix: prefix.id };
}
