import { ChangeLogRetention } from '../../src/change-log/change-log-retention.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { raw, sql, type Sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  editor = await service.as('editor');
});
afterAll(() => service.stop());

const run = (statement: Sql): Promise<Record<string, unknown>[]> => service.database.db.query(statement);

// oxlint-disable-next-line typescript/no-explicit-any -- entries hold values of any shape
type Entry = any;
const entriesOf = async (path: string, api = admin): Promise<Entry[]> => {
  const { status, body, text } = await api.get(`${path}/changes`);
  if (status !== 200) throw new Error(text);
  return body.data;
};
const now = async (): Promise<string> => {
  // The next change must have a later time on the database's clock, which has a resolution of milliseconds here.
  const [row] = await run(
    sql`SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, pg_sleep(0.005)`,
  );
  return row!.at as string;
};

it('has an entry for each create, change and delete, with what changed, by whom and by which request', async () => {
  const created = await editor.post('/api/ip-addresses', { address: '10.0.0.1/32', dnsName: 'a.example.com' });
  const { id } = created.body.data;
  const path = `/api/ip-addresses/${id}`;
  const changed = await editor.patch(path, { status: 'deprecated', dnsName: null });
  await editor.patch(path, { status: 'deprecated' });
  await editor.patch(path, {});
  const deleted = await admin.delete(path);
  const entries = await entriesOf(path);
  expect(entries.map(({ action }) => action)).toEqual(['create', 'update', 'delete']);
  const { createdAt: _c, updatedAt: _u, id: entryId, actorId, ...create } = entries[0]!;
  expect(entryId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(actorId).not.toBeNull();
  expect(create).toEqual({
    action: 'create',
    resource: 'ip-addresses',
    area: 'network',
    recordId: id,
    recordName: '10.0.0.1',
    actor: expect.stringContaining('@'),
    tokenId: null,
    tokenName: null,
    requestId: created.headers.get('x-request-id'),
    before: null,
    after: created.body.data,
  });
  expect(entries[1]).toMatchObject({
    before: { status: 'active', dnsName: 'a.example.com' },
    after: { status: 'deprecated', dnsName: null },
    requestId: changed.headers.get('x-request-id'),
    actorId,
  });
  expect(Object.keys(entries[1]!.before)).toHaveLength(2);
  expect(entries[2]).toMatchObject({
    before: { ...changed.body.data, updatedAt: expect.any(String) },
    after: null,
    requestId: deleted.headers.get('x-request-id'),
  });
  expect(entries[2]!.actorId).not.toBe(actorId);
});

it('formats values like the API: decimals, dates, times, lists', async () => {
  const licence = await editor.make('/api/software-licences', {
    name: 'L',
    cost: '1200.50',
    expiryDate: '2027-01-31',
    licenceKey: 'SECRET-KEY-1',
  });
  const path = `/api/software-licences/${licence.id}`;
  await editor.patch(path, { cost: '1200', licenceKey: 'SECRET-KEY-2' });
  await admin.patch(path, { licenceKey: null });
  const [create, update, clear] = await entriesOf(path);
  expect(create.after).toMatchObject({
    cost: '1200.50',
    expiryDate: '2027-01-31',
    licenceKey: '(withheld)',
    createdAt: licence.createdAt,
  });
  expect(update).toMatchObject({
    before: { cost: '1200.50', licenceKey: '(withheld)' },
    after: { cost: '1200', licenceKey: '(withheld)' },
  });
  expect(clear).toMatchObject({ before: { licenceKey: '(withheld)' }, after: { licenceKey: null } });
  const kept = await run(sql`SELECT old_values::text || new_values::text AS text FROM change_log`);
  expect(JSON.stringify(kept)).not.toMatch(/SECRET-KEY|\$argon2/);
});

it('is no source of secrets: what it has in their place is refused as a value', async () => {
  const path = '/api/software-licences';
  const { id } = await admin.make(path, { name: 'Kept', licenceKey: 'KEPT-KEY' });
  await admin.patch(`${path}/${id}`, { seats: 2, licenceKey: null });
  await admin.patch(`${path}/${id}`, { licenceKey: 'KEPT-KEY' });
  const [, { before }] = await entriesOf(`${path}/${id}`);
  const details = [{ field: 'licenceKey', message: expect.stringMatching(/change log/) }];
  for (const answer of [
    await admin.patch(`${path}/${id}`, before),
    await admin.post(path, { name: 'Copied', licenceKey: before.licenceKey }),
  ])
    expect(answer).toMatchObject({ status: 400, body: { details } });
  expect((await admin.get(`${path}/${id}`)).body.data).toMatchObject({ licenceKey: 'KEPT-KEY', seats: 2 });
});

it('covers changes by the database itself: cleared references, deleted parts', async () => {
  const person = await editor.make('/api/people', { fullName: 'Ada' });
  const schedule = await editor.make('/api/on-call-schedules', { name: 'Primary', personId: person.id });
  const gone = await editor.delete(`/api/people/${person.id}`);
  const last = (await entriesOf(`/api/on-call-schedules/${schedule.id}`)).at(-1);
  expect(last).toMatchObject({
    action: 'update',
    before: { personId: person.id },
    after: { personId: null },
    requestId: gone.headers.get('x-request-id'),
  });
  const device = await editor.make('/api/devices', { name: 'sw-1' });
  const port = await editor.make(`/api/devices/${device.id}/ports`, { name: 'Ethernet1' });
  await editor.delete(`/api/devices/${device.id}`);
  const { body } = await admin.get(`/api/change-log?recordId=${port.id}&action=delete`);
  expect(body.data).toMatchObject([{ resource: 'device-ports', recordName: 'Ethernet1' }]);
});

it('covers a receive under one request', async () => {
  const order = await editor.make('/api/purchase-orders', {
    orderNumber: 'PO-77',
    items: [{ name: 'Optic', quantity: 2, unitPrice: '9.90' }],
  });
  const answer = await admin.post(`/api/purchase-orders/${order.id}/receive`, {
    items: [{ itemId: order.items[0].id, quantity: 2, assets: [{}, {}] }],
  });
  expect(answer.status).toBe(200);
  const { body } = await admin.get(`/api/change-log?requestId=${answer.headers.get('x-request-id')}&sort=resource`);
  expect(body.data.map(({ resource, action }: Entry) => `${action} ${resource}`)).toEqual([
    'create assets',
    'create assets',
    'update purchase-order-items',
    'update purchase-orders',
    'create receipts',
  ]);
  expect(body.data[0].after.purchasePrice).toBe('9.90');
});

it('is rolled back with a transaction, and attributes manual SQL to the system', async () => {
  const before = (await admin.get('/api/change-log?pageSize=1')).body.total;
  const { id } = await editor.make('/api/vrfs', { name: 'V' });
  await editor.post('/api/purchase-orders', { orderNumber: 'PO-77', items: [{ name: 'X', quantity: 1 }] });
  await run(sql`UPDATE vrfs SET name = 'W' WHERE id = ${id}`);
  await run(sql`UPDATE vrfs SET name = name WHERE id = ${id}`);
  await run(sql`TRUNCATE vrfs CASCADE`);
  const entries = await entriesOf(`/api/vrfs/${id}`);
  expect(entries.map(({ action, actor, recordName }) => [action, actor, recordName])).toEqual([
    ['create', expect.stringContaining('@'), 'V'],
    ['update', 'system', 'W'],
    ['delete', 'system', 'W'],
  ]);
  expect((await admin.get('/api/change-log?pageSize=1')).body.total).toBe(before + 3);
});

it.each([
  sql`UPDATE change_log SET actor = 'nobody'`,
  sql`DELETE FROM change_log WHERE actor <> 'nobody'`,
  sql`TRUNCATE change_log`,
])('refuses %s', async (statement) => {
  await expect(run(statement)).rejects.toThrow('neither changed nor deleted');
});

it('prunes entries of no month in steps once their month is beyond the retention, and none of the last day', async () => {
  await run(sql`INSERT INTO change_log (created_at, action, resource, record_id, actor, transaction_id)
    SELECT now() - interval '125 days', 'delete', 'sites', gen_random_uuid(), 'system', 1 FROM generate_series(1, 25)`);
  const count = async (): Promise<number> => (await admin.get('/api/change-log?pageSize=1')).body.total;
  const before = await count();
  await run(sql`SELECT prune_change_log(now() - interval '90 days', 10)`);
  expect(await count()).toBe(before - 10);
  await service.app.get(ChangeLogRetention).prune(90);
  expect(await count()).toBe(before - 25);
  for (const prune of ['prune_change_log(now(), 10)', 'drop_change_log_month(now())'])
    await expect(run(sql`SELECT ${raw(prune)}`)).rejects.toThrow('always kept');
});

describe('permissions', () => {
  it('shows entries of profiles to administrators only, and no entries without a session', async () => {
    await editor.make('/api/vendors', { name: 'Seen by procurement' });
    const buyer = await service.as('viewer', ['procurement']);
    const { body } = await buyer.get('/api/change-log');
    expect(new Set(body.data.map(({ area }: Entry) => area))).toEqual(new Set(['network', 'procurement', 'people']));
    expect((await buyer.get('/api/change-log?area=operations')).body.total).toBe(0);
    expect((await buyer.get('/api/change-log?resource=profiles')).body.total).toBe(0);
    const everything = (await admin.get('/api/change-log?resource=profiles')).body;
    expect(everything.total).toBeGreaterThan(0);
    expect((await buyer.get(`/api/change-log/${everything.data[0].id}`)).status).toBe(404);
    expect((await admin.get(`/api/change-log/${everything.data[0].id}`)).body.data).toEqual(everything.data[0]);
    expect((await service.anonymous.get('/api/change-log')).status).toBe(401);
  });

  it('requires the same permissions for the changes of a record as for the record', async () => {
    const { id } = await editor.make('/api/runbooks', { name: 'R' });
    const outsider = await service.as('editor', ['network']);
    expect((await outsider.get(`/api/runbooks/${id}/changes`)).status).toBe(403);
    expect((await editor.get('/api/runbooks/00000000-0000-4000-8000-000000000000/changes')).status).toBe(404);
    expect((await editor.get(`/api/runbooks/${id}/changes?actoin=create`)).body.error).toContain(
      `Did you mean 'action'?`,
    );
  });
});

describe('asOf', () => {
  it('shows the record as it was', async () => {
    const before = await now();
    const site = await editor.make('/api/sites', { name: 'First', latitude: 52.1 });
    const path = `/api/sites/${site.id}`;
    const made = await now();
    const { body: second } = await editor.patch(path, { name: 'Second', latitude: null });
    const renamed = await now();
    await editor.patch(path, { name: 'Third' });
    await editor.delete(path);
    const deleted = await now();
    const at = async (time: string): Promise<unknown> => {
      const { status, body } = await editor.get(`${path}?asOf=${encodeURIComponent(time)}`);
      return status === 200 ? body.data : status;
    };
    expect(await at(before)).toBe(404);
    expect(await at(made)).toEqual(site);
    expect(await at(renamed)).toEqual(second.data);
    expect(await at(deleted)).toBe(404);
  });

  it('keeps decimals, shows no secrets, and returns the current record for the current time', async () => {
    const licence = await editor.make('/api/software-licences', {
      name: 'K',
      cost: '10.00',
      licenceKey: 'SECRET-KEY-3',
    });
    const path = `/api/software-licences/${licence.id}`;
    const made = await now();
    await editor.patch(path, { cost: '11', licenceKey: 'SECRET-KEY-4' });
    expect((await admin.get(`${path}?asOf=${made}`)).body.data).toMatchObject({ cost: '10.00', licenceKey: null });
    expect((await admin.get(`${path}?asOf=2999-01-01`)).body.data).toMatchObject({ cost: '11', licenceKey: null });
  });

  it.each(['asOf=yesterday', 'asOf=2026-01-01&asOf=2026-01-02', 'asof=2026-01-01'])('refuses %s', async (query) => {
    const { id } = await editor.make('/api/sites', { name: 'Q' });
    expect((await editor.get(`/api/sites/${id}?${query}`)).status).toBe(400);
  });
});

describe('restore', () => {
  it('recreates a deleted record with its id and its parts', async () => {
    const device = await editor.make('/api/devices', { name: 'sw-2', serialNumber: 'S-1' });
    const path = `/api/devices/${device.id}`;
    const port = await editor.make(`${path}/ports`, { name: 'Ethernet1', speedMbps: 10_000 });
    const other = await editor.make(`${path}/ports`, { name: 'Ethernet2' });
    await editor.delete(`${path}/ports/${other.id}`);
    expect((await admin.post(`${path}/restore`)).status).toBe(409);
    await editor.delete(path);
    expect((await editor.post(`${path}/restore`)).status).toBe(403);
    const withBody = await admin.post(`${path}/restore`, { relink: true });
    expect([withBody.status, withBody.body.details[0].field]).toEqual([400, 'relink']);
    const restored = await admin.post(`${path}/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body.data).toEqual({ ...device, updatedAt: expect.any(String) });
    const { body } = await editor.get(`${path}/ports`);
    expect(body.data).toEqual([{ ...port, updatedAt: expect.any(String) }]);
    expect((await entriesOf(path)).map(({ action }) => action)).toEqual(['create', 'delete', 'create']);
    expect((await admin.get('/api/devices?search=sw-2')).body.total).toBe(1);
  });

  it('is refused if it is impossible, and then changes nothing', async () => {
    const site = await editor.make('/api/sites', { name: 'S' });
    const rack = await editor.make('/api/racks', { name: 'A1', siteId: site.id });
    await editor.delete(`/api/racks/${rack.id}`);
    await editor.delete(`/api/sites/${site.id}`);
    const refused = await admin.post(`/api/racks/${rack.id}/restore`);
    expect(refused.status).toBe(400);
    expect(refused.body.details).toEqual([{ field: 'siteId', message: 'does not refer to an existing record' }]);
    const person = await editor.make('/api/people', { fullName: 'P', email: 'p@example.com' });
    await editor.delete(`/api/people/${person.id}`);
    await editor.make('/api/people', { fullName: 'Q', email: 'P@example.com' });
    const taken = await admin.post(`/api/people/${person.id}/restore`);
    expect([taken.status, taken.body.details[0].field]).toEqual([409, 'email']);
    expect((await admin.post('/api/racks/00000000-0000-4000-8000-000000000000/restore')).status).toBe(404);
  });

  it('recreates an order with its lines', async () => {
    const order = await editor.make('/api/purchase-orders', {
      orderNumber: 'PO-R',
      items: [
        { name: 'A', quantity: 1, unitPrice: '1.10' },
        { name: 'B', quantity: 2 },
      ],
    });
    await editor.delete(`/api/purchase-orders/${order.id}`);
    const { body } = await admin.post(`/api/purchase-orders/${order.id}/restore`);
    expect(body.data.items.map(({ id, unitPrice }: Entry) => [id, unitPrice])).toEqual(
      order.items.map(({ id, unitPrice }: Entry) => [id, unitPrice]),
    );
  });
});

it('logs and stamps every table of records, except those with a reason', async () => {
  const notRecords: Record<string, string> = {
    sessions: 'changes with every request; logins are in the request log',
    person_profiles: 'follows from the log of people, which says more',
    login_throttles: 'counters',
    idempotency_keys: 'responses that are kept for a day',
    used_sign_ins: 'sign-ins are in the request log',
    settings: 'data of the service itself',
    cable_ends: 'an index of the ends of cables, which are part of them',
    free_ports: 'an index of the ports that no cable ends at',
    custom_field_names: 'names that are never given again',
    custom_field_values: 'an index of values that are part of their records',
    catalogue_entries: 'what the catalogue has loaded; its records are logged',
    address_hosts: 'kept counts of addresses',
    address_blocks: 'kept counts of addresses',
    identities: 'accounts at the identity provider; sign-ins are in the request log',
    record_counts: 'kept totals',
    value_counts: 'kept totals',
    rack_reservation_places: 'what reservations take of their racks, which follows from the records',
    rack_placements: 'what devices take of their racks, which follows from the records',
    webhook_states: 'where webhooks are in the feed, and how they work',
    webhook_deliveries: 'what webhooks were told, which follows from the log',
    calendar_events: 'what calendars have shown, which follows from the records',
    change_set_operations: 'plans: the merge logs what it does',
    stock_levels: 'sums of movements',
    stock_lots: 'what is left of movements',
    stocktake_entries: 'results of stocktakes, which follow from the records',
    stocktake_scans: 'what was seen, of which the result says what it means',
    change_log: 'itself',
    change_log_numbering: 'from which number on the feed goes on after a restore',
    change_log_pruned: 'how far the log was pruned',
    migrations: 'of TypeORM',
    applied_functions: 'the functions that the database has',
  };
  const triggers = (which: string): string =>
    `(SELECT count(*)::int FROM pg_trigger t WHERE t.tgrelid = c.oid AND ${which})`;
  const tables = await run(
    sql`SELECT c.relname AS name, ${raw(triggers(`t.tgfoid::regproc::text IN (c.relname || '_insert', c.relname || '_delete', 'log_truncate')`))} AS logs,
       ${raw(triggers(`t.tgfoid::regproc::text = c.relname || '_update'`))} AS stamps,
       (SELECT max(t.tgname) FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal
          AND pg_get_triggerdef(t.oid) ~ 'BEFORE [A-Z ]*UPDATE.* FOR EACH ROW') AS last
     FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`,
  );
  expect(tables.length).toBeGreaterThan(35);
  for (const { name, logs, stamps, last } of tables) {
    const logged = !((name as string) in notRecords);
    expect([name, logs, stamps]).toEqual([name, logged ? 3 : 0, logged ? 1 : 0]);
    // Triggers that change the record run in alphabetical order before this one.
    if (logged) expect(last).toBe(`${name as string}_update`);
  }
});

describe('the context of an incident', () => {
  it('has earlier changes, planned work, who was on call, and what may help', async () => {
    const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    await run(sql`INSERT INTO vrfs (name) SELECT 'Bulk' FROM generate_series(1, 120)`);
    const device = await editor.make('/api/devices', { name: 'edge-7' });
    await editor.patch(`/api/devices/${device.id}`, { status: 'planned' });
    const make = (path: string, body: object): Promise<{ id: string }> => editor.make(path, body);
    const within = await make('/api/maintenance-windows', { name: 'In', startTime: at(-30), endTime: at(-20) });
    const openEnded = await make('/api/maintenance-windows', { name: 'Still', startTime: at(-1) });
    await make('/api/maintenance-windows', { name: 'Before', startTime: at(-60), endTime: at(-50) });
    await make('/api/maintenance-windows', { name: 'Someday' });
    const change = await make('/api/change-requests', { name: 'Now', scheduledFor: at(-2) });
    await make('/api/change-requests', { name: 'Later', scheduledFor: at(2) });
    await make('/api/on-call-schedules', { name: 'Last week', startTime: at(-200), endTime: at(-100) });
    const onCall = await make('/api/on-call-schedules', { name: 'This week', startTime: at(-100), endTime: at(100) });
    const named = await make('/api/known-issues', { name: 'Something', affectedSystem: 'Edge-7' });
    const worded = await make('/api/known-issues', { name: 'Uplinks flap after reloads', description: 'Reload twice' });
    await make('/api/known-issues', { name: 'Unrelated', affectedSystem: 'mail' });
    const runbook = await make('/api/runbooks', { name: 'When an uplink flaps' });
    await make('/api/runbooks', { name: 'Payroll' });
    const incident = await make('/api/incidents', {
      name: 'Uplink of edge-7 flapping after the reload',
      detectedAt: at(0.001),
    });
    const { status, body } = await admin.get(`/api/incidents/${incident.id}/context`);
    expect(status).toBe(200);
    const { data } = body;
    const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);
    expect(Date.parse(data.to) - Date.parse(data.from)).toBe(24 * 3_600_000);
    expect(ids(data.maintenanceWindows)).toEqual([within.id, openEnded.id]);
    expect(ids(data.changeRequests)).toEqual([change.id]);
    expect(ids(data.onCall)).toContain(onCall.id);
    expect(ids(data.onCall)).toHaveLength(
      (await admin.get('/api/on-call-schedules?startTime__empty=true')).body.total + 1,
    );
    expect(ids(data.knownIssues)).toEqual([named.id, worded.id]);
    expect(ids(data.runbooks)).toEqual([runbook.id]);
    expect(data.changes.length).toBe(100);
    expect(data.changeCount).toBeGreaterThan(120);
    expect(data.changes.find((entry: Entry) => entry.recordId === device.id)).toMatchObject({
      action: 'update',
      after: { status: 'planned' },
    });
    expect(data.knownIssues[1]).toEqual((await admin.get(`/api/known-issues/${worded.id}`)).body.data);

    const narrow = (await admin.get(`/api/incidents/${incident.id}/context?window=90m`)).body.data;
    expect(ids(narrow.maintenanceWindows)).toEqual([openEnded.id]);
    expect(ids(narrow.changeRequests)).toEqual([]);
    const operator = await service.as('viewer', ['operations']);
    const own = (await operator.get(`/api/incidents/${incident.id}/context`)).body.data;
    expect(own.changeCount).toBeGreaterThan(120);
    expect(own.changes.some(({ area }: Entry) => area === null)).toBe(false);
  });

  it('lists what changed on its targets first, and then what changed on what contains them', async () => {
    const make = (path: string, body: object): Promise<{ id: string }> => admin.make(`/api/${path}`, body);
    const site = await make('sites', { name: 'first' });
    const location = await make('locations', { name: 'in it', siteId: site.id });
    const rack = await make('racks', { name: 'within', locationId: location.id });
    const device = await make('devices', { name: 'targeted', rackId: rack.id });
    await run(sql`INSERT INTO vrfs (name) SELECT 'Later' FROM generate_series(1, 120)`);
    const beside = await make('racks', { name: 'beside', locationId: location.id });
    const incident = await make('incidents', {
      name: 'Nothing in common',
      detectedAt: new Date(Date.now() + 1000).toISOString(),
    });
    const path = `/api/incidents/${incident.id}`;
    await admin.make(`${path}/targets`, { resource: 'devices', recordId: device.id });
    const { changes, changeCount } = (await admin.get(`${path}/context?window=1m`)).body.data;
    const recordIds = changes.map(({ recordId }: Entry) => recordId);
    expect(recordIds.slice(0, 5)).toEqual([device.id, rack.id, location.id, site.id, expect.any(String)]);
    expect(recordIds.indexOf(beside.id)).toBeGreaterThan(3);
    expect(changes).toHaveLength(100);
    expect(changeCount).toBeGreaterThan(120);
    expect(new Set(changes.map(({ id }: { id: string }) => id)).size).toBe(100);
  });

  it.each(['window=0h', 'window=32d', 'window=soon', 'window=1h&window=2h', 'windwo=1h'])(
    'refuses %s',
    async (query) => {
      const { id } = await editor.make('/api/incidents', { name: 'I' });
      const answer = await editor.get(`/api/incidents/${id}/context?${query}`);
      expect([answer.status, answer.body.error]).toEqual([
        400,
        expect.stringMatching(/^window |^Unknown parameter 'windwo'. Did you mean 'window'\?$/),
      ]);
      expect(answer.faultCodes).toEqual([query.startsWith('windwo') ? 'unknown' : 'invalid']);
    },
  );

  it('is not found without the incident, and refused without the area', async () => {
    const nowhere = '/api/incidents/00000000-0000-4000-8000-000000000000/context';
    expect((await editor.get(nowhere)).status).toBe(404);
    expect((await (await service.as('admin', ['network'])).get(nowhere)).status).toBe(403);
  });
});
