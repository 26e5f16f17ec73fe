import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import type { Json } from '../support/document.js';
import { sql } from '../../src/database/sql.js';

/*
 * Random change sets on a small estate, with and without concurrent writes of others.
 * After a preview without conflicts, the merge has exactly the previewed result. After a preview with conflicts, the merge is refused with
 * the same conflicts. A merge and its revert leave every table unchanged.
 */

const SETS = Number(process.env.CHANGE_SETS ?? 50);
const SEED = Number(process.env.SEED ?? 4711);

jest.setTimeout(900_000);

let service: TestService;
let api: Api;
beforeAll(async () => {
  service = await startService();
  api = await service.as('admin');
});
afterAll(() => service.stop());

let state = SEED;
const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
const any = <T>(list: readonly T[]): T => list[random(list.length)]!;
const maybe = <T>(value: T): T | null => (random(4) === 0 ? null : value);

/** Ids by resource, including those of deleted records. */
const known = new Map<string, string[]>();
const idOf = (resource: string): string | null => maybe(any(known.get(resource) ?? [null as never]));
const word = (): string => any(['a', 'b', 'c', 'd']);

/** Bodies of each resource. There are few names and numbers, so that they conflict. */
const BODIES: Record<string, () => Json> = {
  sites: () => ({ name: `site ${random(9)}`, facility: maybe(word()), status: word() }),
  locations: () => ({ name: `room ${random(9)}`, siteId: idOf('sites') }),
  racks: () => ({ name: `rack ${random(9)}`, units: 4 + random(4), siteId: idOf('sites') }),
  devices: () => ({
    name: `device ${random(99)}`,
    deviceTypeId: idOf('device-types'),
    ...(random(2) === 0 ? { rackId: idOf('racks'), rackPosition: 1 + random(7) } : {}),
    status: word(),
    assetId: random(3) === 0 ? idOf('assets') : null,
  }),
  'device-ports': () => ({ name: `eth${random(5)}`, deviceId: any(known.get('devices')!), description: maybe(word()) }),
  vrfs: () => ({ name: `vrf ${random(9)}`, enforceUnique: random(2) === 0 }),
  prefixes: () => ({
    prefix: `10.${random(2)}.${random(3) * 16}.0/${any([20, 24])}`,
    vrfId: idOf('vrfs'),
    siteId: idOf('sites'),
  }),
  'ip-addresses': () => ({
    address: `10.0.0.${1 + random(12)}/24`,
    vrfId: idOf('vrfs'),
    interfaceId: idOf('device-ports'),
  }),
  people: () => ({ fullName: word(), email: maybe(`p${random(9)}@sets.example.com`) }),
  assets: () => ({
    name: `asset ${random(99)}`,
    assetTag: maybe(`T${random(12)}`),
    siteId: idOf('sites'),
    status: word(),
  }),
  incidents: () => ({ name: `incident ${random(99)}`, severity: any(['sev1', 'sev2']), status: word() }),
  'incident-targets': () => ({
    incidentId: any(known.get('incidents')!),
    resource: 'devices',
    recordId: any(known.get('devices')!),
  }),
  contracts: () => ({ name: word(), cost: maybe(`${random(99)}.50`), customFields: { tier: maybe(word()) } }),
  'software-licences': () => ({ name: word(), seats: 1 + random(5) }),
};
const RESOURCES = Object.keys(BODIES);

const OWNED: Record<string, [string, string, string]> = {
  'device-ports': ['devices', 'deviceId', 'ports'],
  'incident-targets': ['incidents', 'incidentId', 'targets'],
};

/** Path of a record, or of the records of an owner. */
function pathOf(resource: string, body: Json, id?: string): string | undefined {
  const owned = OWNED[resource];
  if (!owned) return `/api/${resource}${id === undefined ? '' : `/${id}`}`;
  const [owner, field, collection] = owned;
  return body[field] === undefined
    ? undefined
    : `/api/${owner}/${body[field]}/${collection}${id === undefined ? '' : `/${id}`}`;
}

function remember(resource: string, id: string): void {
  known.set(resource, [...(known.get(resource) ?? []), id].slice(-14));
}

async function make(resource: string): Promise<void> {
  const body = BODIES[resource]!();
  const path = pathOf(resource, body)!;
  const owned = OWNED[resource];
  const { [owned?.[1] ?? '']: _owner, ...own } = body;
  const { status, body: answer } = await api.post(path, own);
  if (status === 201) remember(resource, answer.data.id);
}

/** Some properties of a body, for an update. */
function part(resource: string): Json {
  const body = BODIES[resource]!();
  if (OWNED[resource]) delete body[OWNED[resource][1]];
  const names = Object.keys(body);
  const wanted = names.filter(() => random(3) === 0);
  return Object.fromEntries((wanted.length > 0 ? wanted : [any(names)]).map((name) => [name, body[name]]));
}

/** Writes as another caller. Many of these writes are refused. */
async function interfere(): Promise<void> {
  const resource = any(RESOURCES.filter((name) => !OWNED[name]));
  const id = any(known.get(resource) ?? ['']);
  const kind = random(9);
  if (kind < 3) await api.delete(`/api/${resource}/${id}`);
  else if (kind < 5) await make(resource);
  else await api.patch(`/api/${resource}/${id}`, part(resource));
}

/** Adds operations to the change set. @returns the number of accepted operations */
async function plan(set: string, count: number): Promise<number> {
  let taken = 0;
  for (let n = 0; n < count; n++) {
    const resource = any(RESOURCES);
    const kind = random(10);
    const recordId = any(known.get(resource) ?? ['']);
    const operation =
      kind < 3
        ? { op: 'create', resource, data: BODIES[resource]!() }
        : kind < 9
          ? { op: 'update', resource, recordId, data: part(resource) }
          : { op: 'delete', resource, recordId };
    const { status, body } = await api.post(`/api/change-sets/${set}/operations`, operation);
    if (status !== 201) continue;
    taken++;
    if (kind < 3) remember(resource, body.data.recordId);
  }
  return taken;
}

/** The change log, the stored counts, and the data of callers, which are not part of the estate. */
const APART =
  /^(?:change_log.*|change_set.*|record_counts|address_blocks|value_counts|sessions|idempotency_keys|login_throttles|migrations|applied_functions|settings|catalogue_entries)$/;

/** Every table, without times of writes. */
async function estate(): Promise<Record<string, string[]>> {
  const { db } = service.database;
  const tables = await db.query<{ name: string }>(
    sql`SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY relname`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    if (APART.test(name)) continue;
    const rows = await db.query<{ row: string }>(
      sql([`SELECT (to_jsonb(t) - 'updated_at')::text AS row FROM "${name}" t ORDER BY 1`]),
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

const untimed = ({ createdAt: _c, updatedAt: _u, ...record }: Json): Json => record;
const preview = (set: string): Promise<Answer> => api.post(`/api/change-sets/${set}/preview`);
const merge = (set: string, headers = {}): Promise<Answer> =>
  api.post(`/api/change-sets/${set}/merge`, undefined, headers);

/** Expects that each record is as the preview showed it. */
async function expectShown(operations: readonly Json[]): Promise<void> {
  const last = new Map(operations.map((operation) => [operation.recordId as string, operation]));
  for (const { resource, recordId, op, after } of last.values()) {
    // Ports and targets have no paths of their own.
    if (OWNED[resource]) continue;
    const { status, body } = await api.get(`/api/${resource}/${recordId}`);
    if (op === 'delete') expect([resource, status]).toEqual([resource, 404]);
    else if (after !== null) expect(untimed(body.data)).toEqual(untimed(after));
  }
}

it('what a preview shows is what a merge does, and a revert takes all of it back', async () => {
  await api.make('/api/custom-fields', { key: 'tier', label: 'Tier', type: 'text', resources: ['contracts'] });
  for (let n = 0; n < 3; n++)
    await api.make('/api/device-types', { model: `M${n}`, uHeight: n }).then(({ id }) => remember('device-types', id));
  for (const resource of RESOURCES) for (let n = 0; n < 8; n++) await make(resource);

  const seen = { merged: 0, refused: 0 };
  /** Previews and merges a change set. @returns the previewed operations; undefined if the merge was refused */
  async function mergeAsShown(set: string, round: number): Promise<Json[] | undefined> {
    const before = await estate();
    const shown = await preview(set);
    expect([round, shown.status]).toEqual([round, 200]);
    expect(await estate()).toEqual(before);
    const { operations, conflicts } = shown.body.data;
    const merged = await merge(set, { 'if-match': shown.headers.get('etag')! });
    if (conflicts.length > 0) {
      expect([round, merged.status, merged.body.conflicts]).toEqual([round, 409, conflicts]);
      expect(await estate()).toEqual(before);
      return undefined;
    }
    expect([round, merged.status]).toEqual([round, 200]);
    await expectShown(operations);
    return operations;
  }
  const revertOf = async (set: string): Promise<string> => {
    const { status, body } = await api.post(`/api/change-sets/${set}/revert`);
    expect(status).toBe(201);
    return body.data.id;
  };

  for (let round = 0; round < SETS; round++) {
    const set = (await api.make('/api/change-sets', { name: `Set ${round}` })).id;
    while ((await plan(set, 4 + random(12))) === 0);
    if (round % 2 === 1) for (let n = 0; n < 14; n++) await interfere();
    // Conflicting operations are removed from some sets, so that large sets are merged too.
    const most = round % 2 === 0 ? 20 : 0;
    for (let tries = 0; tries < most; tries++) {
      const { conflicts } = (await preview(set)).body.data;
      if (conflicts.length === 0) break;
      await api.delete(`/api/change-sets/${set}/operations/${conflicts[0].operationId}`);
    }
    const before = await estate();
    if (!(await mergeAsShown(set, round))) {
      seen.refused++;
      continue;
    }
    seen.merged++;
    if (round % 5 === 4) {
      // Others change some of its records before the revert.
      for (let n = 0; n < 10; n++) await interfere();
      await mergeAsShown(await revertOf(set), round);
      continue;
    }
    const back = await revertOf(set);
    expect([round, (await mergeAsShown(back, round)) !== undefined]).toEqual([round, true]);
    expect([round, await estate()]).toEqual([round, before]);
    // The revert of the revert applies some sets again, so that the estate changes over time.
    if (round % 4 === 0) await mergeAsShown(await revertOf(back), round);
  }
  expect(seen.merged).toBeGreaterThan(SETS / 4);
  expect(seen.refused).toBeGreaterThan(SETS / 25);
});
