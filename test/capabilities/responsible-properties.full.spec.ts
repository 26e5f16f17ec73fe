import { Random } from '../hostile/random.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { inFull } from '../support/size.js';

// The responses are compared with a walk, step by step, through the records that the lists show.

let service: TestService;
let admin: Api;
let estateTables: Tables;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  await estate();
  estateTables = await read();
}, 600_000);
afterAll(() => service.stop());

jest.setTimeout(600_000);

// oxlint-disable-next-line typescript/no-explicit-any -- records have any shape
type Json = any;

const PAIRS = inFull ? 1000 : 50;
const CARDS = inFull ? 500 : 20;
const SEED = Number(process.env.PROPERTY_SEED ?? 1);
const random = new Random(SEED);

const HOUR = 3_600_000;
const START = Date.UTC(2031, 0, 1);
const timeAt = (hours: number): string => new Date(START + hours * HOUR).toISOString();
const dayAt = (hours: number): string => timeAt(hours).slice(0, 10);

const RESOURCES = [
  ...['regions', 'sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'circuits', 'assets'],
] as const;
type Resource = (typeof RESOURCES)[number];
const KINDS = ['operates', 'owns', 'approves', 'watches'];
const ROSTERS = ['North', 'South', 'East', 'West', 'Past'];

interface Named {
  resource: string;
  id: string;
  name: string;
}

/** All data that determines the responses, as lists show it. */
interface Tables {
  records: Map<string, Json>;
  all: Record<string, Json[]>;
  responsibilities: (Json & { resource: string; owner: string })[];
  targets: Record<'runbooks' | 'known-issues', (Json & { owner: string })[]>;
  coverage: (Json & { kind: 'contract' | 'sla'; owner: string })[];
  terminations: Json[];
}

const NAMES: Record<string, string> = { circuits: 'circuitNumber', 'device-types': 'model' };

const every = async (path: string): Promise<Json[]> => (await admin.get(path)).body.data;

/** An estate in which anything may be missing or appear twice. */
async function estate(): Promise<void> {
  const ids: Record<string, string[]> = {};
  const maybe = (resource: string, chance = 0.7): string | null =>
    ids[resource]?.length && random.chance(chance) ? random.one(ids[resource]!) : null;
  const make = async (resource: string, count: number, body: (n: number) => Json): Promise<void> => {
    ids[resource] ??= [];
    for (let n = 0; n < count; n++) {
      const answer = await admin.post(`/api/${resource}`, body(n));
      // The service refuses a device whose site contradicts its rack.
      if (answer.status === 201) ids[resource]!.push(answer.body.data.id as string);
      else if (answer.status !== 400) throw new Error(answer.text);
    }
  };
  await make('people', 5, (n) => ({ fullName: `Person ${n}`, status: n === 0 ? 'inactive' : 'active' }));
  await make('regions', 5, (n) => ({ name: `G${n}`, parentId: maybe('regions') }));
  await make('sites', 5, (n) => ({ name: `S${n}`, regionId: maybe('regions') }));
  await make('locations', 8, (n) => ({ name: `L${n}`, siteId: maybe('sites', 0.5), parentId: maybe('locations') }));
  await make('racks', 8, (n) => ({ name: `R${n}`, siteId: maybe('sites', 0.4), locationId: maybe('locations') }));
  await make('manufacturers', 2, (n) => ({ name: `Maker ${SEED} ${n}` }));
  await make('device-types', 3, (n) => ({ model: `T${n}`, manufacturerId: maybe('manufacturers') }));
  await make('device-roles', 2, (n) => ({ name: `Role ${SEED} ${n}` }));
  await make('platforms', 2, (n) => ({ name: `Platform ${SEED} ${n}` }));
  await make('vendors', 3, (n) => ({ name: `Vendor ${n}`, phone: `+31 ${n}` }));
  await make('clusters', 4, (n) => ({ name: `C${n}`, siteId: maybe('sites') }));
  await make('virtual-machines', 6, (n) => ({
    name: `V${n}`,
    clusterId: maybe('clusters'),
    platformId: maybe('platforms'),
  }));
  await make('purchase-orders', 2, (n) => ({
    orderNumber: `PO-${SEED}-${n}`,
    currency: ['EUR', 'USD'][n],
    items: [{ name: 'Unit', quantity: 1 }],
  }));
  await make('assets', 12, (n) => ({
    name: `A${random.int(6)}`,
    purchasePrice: random.chance(0.7) ? `${n + 1}.${random.int(9)}7` : null,
    purchaseOrderId: maybe('purchase-orders', 0.6),
    siteId: maybe('sites', 0.4),
    locationId: maybe('locations', 0.4),
    manufacturerId: maybe('manufacturers'),
    serialNumber: random.chance(0.5) ? `SA${n}` : null,
    purchasedAt: random.chance(0.5) ? dayAt(-24 * random.int(40)) : null,
    warrantyUntil: random.chance(0.6) ? dayAt(24 * (random.int(40) - 20)) : null,
  }));
  await make('devices', 40, (n) => ({
    name: `D${n}`,
    rackId: maybe('racks', 0.6),
    locationId: maybe('locations', 0.3),
    siteId: maybe('sites', 0.3),
    assetId: maybe('assets', 0.4),
    clusterId: maybe('clusters', 0.4),
    deviceTypeId: maybe('device-types'),
    deviceRoleId: maybe('device-roles'),
    platformId: maybe('platforms'),
    serialNumber: random.chance(0.5) ? `SD${n}` : null,
  }));
  // Each rack has three equal devices. One of them has its own roster; the containing records determine who operates the others.
  const alike = 3 * ids.racks!.length;
  await make('devices', alike, (n) => ({ name: `E${n}`, rackId: ids.racks![Math.floor(n / 3)] }));
  const operate = (resource: string, id: string, roster: string): Promise<Json> =>
    admin.make(`/api/${resource}/${id}/responsibilities`, { roster, kind: 'operates' });
  for (const id of ids.devices!.slice(-alike).filter((_, n) => n % 3 === 0)) await operate('devices', id, 'North');
  for (const [n, id] of ids.racks!.entries()) await operate('racks', id, `Racks ${n}`);
  await make('circuits', 4, (n) => ({ circuitNumber: `K${n}`, vendorId: maybe('vendors') }));
  for (const id of ids.circuits!) {
    for (const side of ['A', 'Z'].filter(() => random.chance(0.7))) {
      await admin.make(`/api/circuits/${id}/terminations`, { side, siteId: maybe('sites', 0.8) });
    }
  }
  await make('on-call-schedules', 40, (n) => {
    const start = random.int(96) - 48;
    return {
      name: `Shift ${n}`,
      rotation: random.one(ROSTERS.slice(0, 4)),
      personId: maybe('people', 0.8),
      startTime: random.chance(0.9) ? timeAt(start) : null,
      endTime: random.chance(0.9) ? timeAt(start + random.int(24)) : null,
    };
  });
  await make('on-call-schedules', 1, () => ({ name: 'Past', startTime: timeAt(-3000), endTime: timeAt(-2500) }));
  // A duplicate roster or person is refused with 409, so there is one less.
  for (let n = 0; n < 90; n++) {
    const resource = random.one(RESOURCES);
    const id = random.one(ids[resource]!);
    const who = random.chance(0.6)
      ? { roster: random.one([...ROSTERS, 'Nobody knows']) }
      : { personId: maybe('people', 1) };
    await admin.post(`/api/${resource}/${id}/responsibilities`, { ...who, kind: random.one(KINDS) });
  }
  const described = [...RESOURCES, 'device-types', 'device-roles', 'platforms', 'manufacturers'];
  await make('runbooks', 12, (n) => ({ name: `Runbook ${random.int(6)}`, category: `c${n}` }));
  await make('known-issues', 12, () => ({
    name: `Issue ${random.int(6)}`,
    status: random.one(['open', 'resolved', 'closed', 'wont_fix']),
  }));
  for (const owner of ['runbooks', 'known-issues']) {
    for (let n = 0; n < 40; n++) {
      const resource = random.one(described);
      await admin.post(`/api/${owner}/${random.one(ids[owner]!)}/targets`, {
        resource,
        recordId: random.one(ids[resource]!),
      });
    }
  }
  await make('contracts', 4, (n) => ({
    name: `Contract ${n}`,
    vendorId: maybe('vendors'),
    status: random.one(['active', 'active', 'draft', 'terminated', 'signed']),
    startDate: random.chance(0.7) ? dayAt(-24 * random.int(20)) : null,
    endDate: random.chance(0.7) ? dayAt(24 * random.int(20)) : null,
  }));
  await make('slas', 2, (n) => ({ name: `SLA ${n}`, vendorId: maybe('vendors'), responseTime: `${n} h` }));
  const covered = ['sites', 'racks', 'devices', 'clusters', 'virtual-machines', 'circuits', 'assets'];
  for (let n = 0; n < 60; n++) {
    const owner = random.chance(0.7) ? 'contracts' : 'slas';
    const resource = random.one(covered);
    await admin.post(`/api/${owner}/${random.one(ids[owner]!)}/coverage`, {
      resource,
      recordId: random.one(ids[resource]!),
      startDate: random.chance(0.3) ? dayAt(24 * (random.int(10) - 5)) : null,
      endDate: null,
    });
  }
}

async function read(): Promise<Tables> {
  const names = [
    ...RESOURCES,
    ...['people', 'on-call-schedules', 'device-types', 'device-roles', 'platforms', 'manufacturers', 'vendors'],
    ...['runbooks', 'known-issues', 'contracts', 'slas', 'purchase-orders'],
  ];
  const all: Tables['all'] = {};
  const records: Tables['records'] = new Map();
  for (const resource of names) {
    all[resource] = await every(`/api/${resource}`);
    for (const record of all[resource]!) records.set(record.id, { ...record, resource });
  }
  const partsOf = async (resource: string, part: string): Promise<Json[]> => {
    const lists = [];
    for (const { id } of all[resource]!) {
      for (const one of await every(`/api/${resource}/${id}/${part}`)) lists.push({ ...one, owner: id, of: resource });
    }
    return lists;
  };
  const responsibilities = [];
  for (const resource of RESOURCES) responsibilities.push(...(await partsOf(resource, 'responsibilities')));
  return {
    records,
    all,
    responsibilities,
    targets: {
      runbooks: await partsOf('runbooks', 'targets'),
      'known-issues': await partsOf('known-issues', 'targets'),
    },
    coverage: [...(await partsOf('contracts', 'coverage')), ...(await partsOf('slas', 'coverage'))],
    terminations: await every('/api/circuit-terminations'),
  };
}

const named = (tables: Tables, id: string): Named => {
  const record = tables.records.get(id);
  return { resource: record.resource, id, name: record[NAMES[record.resource] ?? 'name'] };
};

/** The records on the way outward and their distances, as the contract defines them. */
function walk(tables: Tables, resource: Resource, id: string): Map<string, number> {
  const found = new Map<string, number>();
  const add = (at: string, distance: number): void => {
    if (!found.has(at) || found.get(at)! > distance) found.set(at, distance);
  };
  const get = (at: string | null): Json => (at === null ? undefined : tables.records.get(at));
  const upward = (first: string | null): string[] => {
    const list: string[] = [];
    for (let at = first; at !== null; at = get(at).parentId) list.push(at);
    return list;
  };
  /** The places of a record: its rack, its locations, its site and the regions. */
  const places = (record: Json, kind: string): string[] => {
    const rack = kind === 'devices' ? get(record.rackId) : undefined;
    const locations =
      kind === 'locations' ? upward(record.parentId) : upward(record.locationId ?? rack?.locationId ?? null);
    const candidates = [record.siteId, rack?.siteId, ...locations.map((at) => get(at).siteId)];
    const site = candidates.find((at) => at !== null && at !== undefined) ?? null;
    return [...(rack ? [rack.id] : []), ...locations, ...(site ? [site] : []), ...upward(get(site)?.regionId ?? null)];
  };
  const follow = (list: readonly string[], distance: number): void =>
    list.forEach((at, place) => add(at, distance + place));
  const record = get(id);
  add(id, 0);
  if (resource === 'regions') follow(upward(record.parentId), 1);
  else if (resource === 'sites') follow(upward(record.regionId), 1);
  else if (resource === 'virtual-machines') {
    if (record.clusterId) follow([record.clusterId, ...places(get(record.clusterId), 'clusters')], 1);
  } else if (resource === 'circuits') {
    for (const { circuitId, siteId } of tables.terminations) {
      if (circuitId === id && siteId) follow([siteId, ...upward(get(siteId).regionId)], 1);
    }
  } else if (resource === 'assets') {
    const devices = tables.all.devices!.filter(({ assetId }) => assetId === id);
    for (const device of devices) follow([device.id, ...places(device, 'devices')], 1);
    if (devices.length === 0) follow(places(record, resource), 1);
  } else follow(places(record, resource), 1);
  return found;
}

/** The person who covers a roster at a time. */
function cover(tables: Tables, roster: string, at: string): { shift?: Json; person?: Json; reason?: string } {
  const shifts = tables.all['on-call-schedules']!.filter((one) => (one.rotation ?? one.name) === roster);
  const remembered = new Date(Date.parse(at) - 90 * 24 * HOUR).toISOString();
  if (!shifts.some(({ endTime }) => endTime === null || endTime > remembered)) return { reason: 'no_roster' };
  const during = shifts.filter(
    ({ startTime, endTime }) => (startTime === null || startTime <= at) && (endTime === null || endTime > at),
  );
  const person = (shift: Json): Json => tables.records.get(shift.personId ?? '');
  const active = during
    .filter((shift) => person(shift) && person(shift).status !== 'inactive')
    .toSorted((a, b) => (a.startTime ?? '').localeCompare(b.startTime ?? ''))
    .filter(({ startTime }, _, list) => startTime === list.at(-1).startTime);
  if (active.length > 0) {
    // If several began at the same time, any of them may be named, but always the same one.
    const shift = active.toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1);
    return { shift, person: person(shift) };
  }
  if (during.some((shift) => person(shift))) return { reason: 'person_inactive' };
  return { reason: during.length > 0 ? 'nobody_assigned' : 'no_shift' };
}

const rank = (kind: string): string =>
  `${'operates owns approves'.split(' ').indexOf(kind) >>> 0}`.padStart(12, '0') + kind;

/** Responsibilities on the way and their distances; equal ones in any order. */
const onWay = (tables: Tables, way: Map<string, number>): Json[] =>
  tables.responsibilities
    .filter(({ owner }) => way.has(owner))
    .map((one) => ({ ...one, distance: way.get(one.owner)! }));

const inOrder = (list: readonly Json[]): Json[] =>
  list.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

function expectedResponsible(tables: Tables, resource: Resource, id: string, at: string, all: boolean): Json[] {
  const entries = onWay(tables, walk(tables, resource, id));
  const nearest = (kind: string): number =>
    Math.min(...entries.filter((one) => one.kind === kind).map(({ distance }) => distance));
  return entries
    .filter(({ kind, distance }) => all || distance === nearest(kind))
    .map(({ kind, roster, personId, owner, distance }) => {
      const { shift, reason } = roster === null ? {} : cover(tables, roster, at);
      return {
        kind,
        who: roster ?? personId,
        via: named(tables, owner),
        distance,
        onCall: roster === null ? null : (shift?.id ?? reason),
      };
    });
}

/** The kinds of a record, in the order of the response. */
function kindsOf(tables: Tables, resource: string, id: string): (string | null)[] {
  const record = tables.records.get(id);
  const type = tables.records.get(record.deviceTypeId ?? '');
  if (resource === 'devices')
    return [record.deviceTypeId, record.deviceRoleId, record.platformId, type?.manufacturerId ?? null];
  if (resource === 'virtual-machines') return [record.platformId];
  return resource === 'assets' ? [record.manufacturerId] : [];
}

function expectedCall(tables: Tables, resource: Resource, id: string, at: string): Record<string, Json[]> {
  const way = walk(tables, resource, id);
  const entries = onWay(tables, way);
  const record = tables.records.get(id);
  const rosters = new Map<string, number>();
  for (const { kind, roster, distance } of entries) {
    if (kind === 'operates' && roster !== null)
      rosters.set(roster, Math.min(distance, rosters.get(roster) ?? Infinity));
  }
  const subjects = new Map<string, number>();
  const addSubject = (subject: string, near: number): void => {
    subjects.set(subject, Math.min(near, subjects.get(subject) ?? Infinity));
  };
  for (const [on, distance] of way) {
    addSubject(on, distance * 10);
    // The kinds of the record itself, and of the devices of an asset.
    const kinds = kindsOf(tables, tables.records.get(on).resource, on);
    kinds.forEach((kind, place) => kind && addSubject(kind, distance * 10 + place + 1));
  }
  const about = (owner: 'runbooks' | 'known-issues'): Json[] =>
    tables.all[owner]!.filter(({ status }) => !['resolved', 'closed'].includes(status))
      .flatMap((one) => {
        const near = tables.targets[owner]
          .filter((target) => target.owner === one.id && subjects.has(target.recordId))
          .map(({ recordId }) => subjects.get(recordId)!);
        return near.length > 0 ? [{ near: Math.min(...near), name: one.name, id: one.id }] : [];
      })
      .toSorted((a, b) => a.near - b.near || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1));
  const day = at.slice(0, 10);
  const others =
    resource === 'devices' && record.assetId
      ? [record.assetId]
      : resource === 'assets'
        ? tables.all.devices!.filter(({ assetId }) => assetId === id).map((device) => device.id)
        : [];
  const vendors = [id, ...others].flatMap((covered) => {
    const of = tables.records.get(covered);
    const serialNumber = record.serialNumber ?? of.serialNumber ?? null;
    const via = covered === id ? null : covered;
    const within = (from: string | null, until: string | null): boolean =>
      (from === null || from <= day) && (until === null || until >= day);
    const linked = tables.coverage
      .filter(({ recordId }) => recordId === covered)
      .flatMap((one) => {
        const source = tables.records.get(one.owner);
        const from = one.startDate ?? source.startDate ?? null;
        const until = one.endDate ?? source.endDate ?? null;
        const counts = !['draft', 'expired', 'terminated'].includes(source.status);
        return within(from, until) && counts
          ? [
              {
                kind: source.resource === 'slas' ? 1 : 0,
                source: source.id,
                vendor: source.vendorId,
                until,
                via,
                serialNumber,
              },
            ]
          : [];
      });
    const until = of.warrantyUntil?.slice(0, 10);
    return until && within(of.purchasedAt?.slice(0, 10) ?? null, until)
      ? [...linked, { kind: 2, source: null, vendor: null, until, via, serialNumber }]
      : linked;
  });
  return {
    rosters: [...rosters].map(([roster, distance]) => {
      const { shift, reason } = cover(tables, roster, at);
      return { roster, distance, covers: shift?.id ? shift.personId : reason };
    }),
    people: entries
      .filter(({ personId }) => personId !== null)
      .map(({ kind, personId, owner }) => ({ kind, personId, via: owner })),
    vendors,
    runbooks: about('runbooks'),
    issues: about('known-issues'),
  };
}

it('equals a walk through the records, for any record and time', async () => {
  const tables = estateTables;
  const seen = { entries: 0, steps: 0 };
  for (let n = 0; n < PAIRS; n++) {
    const resource = random.one(RESOURCES);
    const { id } = random.one(tables.all[resource]!);
    const at = timeAt(random.int(120) - 60);
    const all = random.chance(0.5);
    const { data } = (await admin.get(`/api/${resource}/${id}/responsible?at=${at}&all=${all}`)).body;
    const said = data.map(({ kind, roster, person, via, distance, onCall }: Json) => ({
      kind,
      who: roster ?? person.id,
      via,
      distance,
      onCall: onCall && (onCall.scheduleId ?? onCall.reason),
    }));
    const where = [resource, id, at, all];
    expect([where, inOrder(said)]).toEqual([where, inOrder(expectedResponsible(tables, resource, id, at, all))]);
    const order = said.map(({ distance, kind }: Json) => `${String(distance).padStart(4, '0')}${rank(kind)}`);
    expect(order).toEqual(order.toSorted());

    const { steps } = (await admin.get(`/api/${resource}/${id}/call?at=${at}`)).body.data;
    const of = (step: string): Json[] => steps.filter((one: Json) => one.step === step);
    const expected = expectedCall(tables, resource, id, at);
    const way = walk(tables, resource, id);
    const rosters = of('on_call').map(({ roster, via, person, reason }) => ({
      roster,
      distance: way.get(via.id),
      covers: person?.id ?? reason,
    }));
    expect([where, inOrder(rosters)]).toEqual([where, inOrder(expected.rosters!)]);
    const distances = rosters.map(({ distance }) => distance);
    expect(distances).toEqual(distances.toSorted((a, b) => a! - b!));
    const people = of('person').map(({ kind, person, via }) => ({ kind, personId: person.id, via: via.id }));
    expect([where, inOrder(people)]).toEqual([where, inOrder(expected.people!)]);
    const order2 = people.map(({ kind, via }) => `${rank(kind)} ${String(way.get(via)).padStart(4, '0')}`);
    expect(order2).toEqual(order2.toSorted());
    const vendors = of('vendor').map(({ vendor, contract, sla, until, via, serialNumber }) => ({
      kind: contract ? 0 : sla ? 1 : 2,
      source: contract?.id ?? sla?.id ?? null,
      vendor: vendor?.id ?? null,
      until,
      via: via?.id ?? null,
      serialNumber,
    }));
    expect([where, inOrder(vendors)]).toEqual([where, inOrder(expected.vendors!)]);
    expect(vendors.map(({ kind }) => kind)).toEqual(vendors.map(({ kind }) => kind).toSorted());
    expect([where, of('runbook').map((one) => one.id)]).toEqual([where, expected.runbooks!.map((one) => one.id)]);
    expect([where, of('known_issue').map((one) => one.id)]).toEqual([where, expected.issues!.map((one) => one.id)]);
    const parts = steps.map(({ step }: Json) =>
      ['on_call', 'person', 'vendor', 'runbook', 'known_issue'].indexOf(step),
    );
    expect(parts).toEqual(parts.toSorted());
    seen.entries += said.length;
    seen.steps += steps.length;
  }
  // If the estate had no results, the test would prove nothing.
  expect(seen.entries).toBeGreaterThan(PAIRS);
  expect(seen.steps).toBeGreaterThan(2 * PAIRS);
});

interface Reached {
  resource: string;
  id: string;
  effect: string;
}

/** The records that go down with targets, as the contract defines them: their contents, and the contents of those. */
function expectedReach(tables: Tables, targets: readonly string[]): Reached[] {
  const down = new Set(targets);
  const containers: Record<string, (record: Json) => (string | null)[]> = {
    regions: ({ parentId }) => [parentId],
    sites: ({ regionId }) => [regionId],
    locations: ({ parentId, siteId }) => [parentId, siteId],
    racks: ({ locationId, siteId }) => [locationId, siteId],
    assets: ({ locationId, siteId }) => [locationId, siteId],
    devices: ({ rackId, locationId, siteId, assetId }) => [rackId, locationId, siteId, assetId],
    clusters: ({ id, siteId }) => [
      siteId,
      ...tables.all.devices!.filter(({ clusterId }) => clusterId === id).map((device) => device.id),
    ],
    'virtual-machines': ({ clusterId }) => [clusterId],
  };
  for (let before = -1; before < down.size;) {
    before = down.size;
    for (const [resource, containersOf] of Object.entries(containers)) {
      for (const record of tables.all[resource]!) {
        if (containersOf(record).some((id) => id !== null && down.has(id))) down.add(record.id);
      }
    }
  }
  const isDegraded = (id: string | null): boolean =>
    id !== null &&
    down.has(id) &&
    !targets.includes(id) &&
    tables.all.devices!.some((device) => device.clusterId === id && !down.has(device.id));
  return [...down]
    .filter((id) => !targets.includes(id))
    .map((id) => {
      const { resource, clusterId } = tables.records.get(id);
      const cluster = resource === 'clusters' ? id : resource === 'virtual-machines' ? clusterId : null;
      return { resource, id, effect: isDegraded(cluster) ? 'degraded' : 'down' };
    });
}

/** The cost of replacing a device or an asset, and its currency. */
function expectedPrice(tables: Tables, resource: string, id: string): Json {
  const record = tables.records.get(id);
  const devices = tables.all.devices!;
  const comparable = tables.all.assets!.filter((asset) =>
    resource === 'devices'
      ? record.deviceTypeId !== null &&
        devices.some(({ assetId, deviceTypeId }) => assetId === asset.id && deviceTypeId === record.deviceTypeId)
      : record.manufacturerId !== null && asset.manufacturerId === record.manufacturerId && asset.name === record.name,
  );
  const own = resource === 'devices' ? tables.records.get(record.assetId ?? '') : record;
  const newest = (list: Json[]): Json =>
    list
      .filter(({ purchasePrice }) => purchasePrice !== null)
      .toSorted(
        (a, b) =>
          (b.purchasedAt ?? '').localeCompare(a.purchasedAt ?? '') ||
          b.createdAt.localeCompare(a.createdAt) ||
          (a.id < b.id ? -1 : 1),
      )[0];
  const asset = newest(comparable) ?? newest(own ? [own] : []);
  return (
    asset && {
      amount: asset.purchasePrice,
      currency: tables.records.get(asset.purchaseOrderId ?? '')?.currency ?? null,
    }
  );
}

const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));

it('has a card that equals what the tables say, for any change', async () => {
  const tables = estateTables;
  const operated = new Set(['devices', 'clusters', 'virtual-machines', 'circuits']);
  const seen = { rosters: 0, uncovered: 0, issues: 0, reached: 0, degraded: 0 };
  for (let n = 0; n < CARDS; n++) {
    const from = timeAt(random.int(96) - 48);
    const minutes = 1 + random.int(300);
    const to = new Date(Date.parse(from) + minutes * 60_000).toISOString();
    const change = await admin.make('/api/change-requests', { name: `Change ${n}`, scheduledFor: from });
    const path = `/api/change-requests/${change.id}`;
    const targets = [
      ...new Set(Array.from({ length: 1 + random.int(3) }, () => random.one(tables.all[random.one(RESOURCES)]!).id)),
    ] as string[];
    for (const id of targets)
      await admin.make(`${path}/targets`, { resource: tables.records.get(id).resource, recordId: id });
    const card = (await admin.get(`${path}/card?minutes=${minutes}`)).body.data;
    const where = [SEED, n, targets];
    expect([where, card.from, card.to]).toEqual([where, from, to]);
    expect([where, inOrder(card.targets)]).toEqual([where, inOrder(targets.map((id) => named(tables, id)))]);

    const reached = expectedReach(tables, targets);
    const said = card.reached.records.map(({ resource, id, effect }: Json) => ({ resource, id, effect }));
    expect([where, inOrder(said)]).toEqual([where, inOrder(reached)]);
    const counts: Record<string, number> = {};
    for (const { resource } of reached) counts[resource] = (counts[resource] ?? 0) + 1;
    expect([where, card.reached.counts]).toEqual([where, counts]);

    const touched = [
      ...targets.map((id) => ({ resource: tables.records.get(id).resource as Resource, id })),
      ...reached,
    ] as { resource: Resource; id: string }[];
    const rosters = new Map<string, Set<string>>();
    for (const { resource, id } of touched) {
      if (!targets.includes(id) && !operated.has(resource)) continue;
      for (const { kind, roster, owner, distance } of onWay(tables, walk(tables, resource, id))) {
        const isNearest = onWay(tables, walk(tables, resource, id)).every(
          (one) => one.kind !== 'operates' || one.distance >= distance,
        );
        if (kind === 'operates' && roster !== null && isNearest)
          rosters.set(roster, (rosters.get(roster) ?? new Set()).add(owner));
      }
    }
    expect([
      where,
      card.onCall.map(({ roster, via }: Json) => [roster, via.map(({ id }: Json) => id).toSorted()]),
    ]).toEqual([
      where,
      [...rosters].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([roster, owners]) => [roster, [...owners].toSorted()]),
    ]);
    for (const { roster, intervals } of card.onCall) {
      for (let sample = 0; sample < 3; sample++) {
        const at = new Date(Date.parse(from) + random.int(minutes * 60_000)).toISOString();
        const during = intervals.filter((one: Json) => one.startTime <= at && one.endTime > at);
        const { person } = cover(tables, roster, at);
        const people = during.flatMap((one: Json) => (one.person ? [one.person.id] : []));
        if (person)
          expect([where, roster, at, people]).toEqual([where, roster, at, expect.arrayContaining([person.id])]);
        else expect([where, roster, at, during.length, people]).toEqual([where, roster, at, 1, []]);
      }
    }

    const devices = new Set(touched.filter(({ resource }) => resource === 'devices').map(({ id }) => id));
    const hasDevice = (asset: string): boolean =>
      tables.all.devices!.some(({ id, assetId }) => assetId === asset && devices.has(id));
    const counted = touched.filter(
      ({ resource, id }) => resource === 'devices' || (resource === 'assets' && !hasDevice(id)),
    );
    const isCovered = ({ resource, id }: { resource: Resource; id: string }): boolean =>
      expectedCall(tables, resource, id, from).vendors!.length > 0;
    const uncovered = counted.filter((one) => !isCovered(one)).map(({ id }) => named(tables, id));
    expect([where, card.coverage.covered, inOrder(card.coverage.uncovered)]).toEqual([
      where,
      counted.length - uncovered.length,
      inOrder(uncovered),
    ]);

    const prices = counted.map(({ resource, id }) => expectedPrice(tables, resource, id));
    const sums = new Map<string | null, { total: bigint; records: number }>();
    for (const price of prices.filter(Boolean)) {
      const { total, records } = sums.get(price.currency) ?? { total: 0n, records: 0 };
      sums.set(price.currency, { total: total + cents(price.amount), records: records + 1 });
    }
    expect([where, card.replacement.unknown]).toEqual([where, prices.filter((price) => !price).length]);
    expect([
      where,
      inOrder(card.replacement.amounts.map((one: Json) => ({ ...one, amount: String(cents(one.amount)) }))),
    ]).toEqual([
      where,
      inOrder([...sums].map(([currency, { total, records }]) => ({ currency, amount: String(total), records }))),
    ]);

    const near = new Map<string, number>();
    const add = (id: string | null, place: number): void => {
      if (id !== null) near.set(id, Math.min(place, near.get(id) ?? Infinity));
    };
    for (const { resource, id } of touched) {
      for (const [at, distance] of walk(tables, resource, id)) add(at, distance * 10);
      kindsOf(tables, resource, id).forEach((kind, place) => add(kind, place + 1));
    }
    const issues = tables.all['known-issues']!.filter(({ status }) => !['resolved', 'closed'].includes(status))
      .map((issue) => ({
        id: issue.id,
        name: issue.name,
        near: Math.min(
          ...tables.targets['known-issues']
            .filter(({ owner }) => owner === issue.id)
            .map(({ recordId }) => near.get(recordId) ?? Infinity),
        ),
      }))
      .filter((issue) => issue.near < Infinity)
      .toSorted((a, b) => a.near - b.near || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1));
    expect([where, card.knownIssues.map(({ id }: Json) => id)]).toEqual([where, issues.map(({ id }) => id)]);
    seen.rosters += card.onCall.length;
    seen.uncovered += uncovered.length;
    seen.issues += issues.length;
    seen.reached += reached.length;
    seen.degraded += reached.filter(({ effect }) => effect === 'degraded').length;
    await admin.delete(path);
  }
  // If the cards were empty, the test would prove nothing.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(CARDS / 10);
});
