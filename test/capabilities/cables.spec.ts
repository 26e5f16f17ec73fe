import * as fc from 'fast-check';
import { Client } from 'pg';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { itOnServer } from '../support/server.js';
import { inFull, itInFull } from '../support/size.js';
import { until } from '../support/until.js';

let service: TestService;
let editor: Api;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor', ['network']);
  admin = await service.as('admin');
});
afterAll(() => service.stop());

interface Entry {
  resource: string;
  id: string;
  name: string | null;
}
interface Trace {
  status: string;
  path: Entry[];
  branches: Entry[];
  planned: boolean;
  truncated?: true;
}

const refusal = ({ status, body }: Answer): [number, string[]] => [
  status,
  (body?.details ?? []).map((fault: { field: string }) => fault.field),
];
let count = 0;
const device = async (more: object = {}): Promise<string> =>
  (await editor.make('/api/devices', { name: `cabled-${++count}`, ...more })).id;
const port = async (deviceId: string, body: object = {}): Promise<string> =>
  (await editor.make('/api/device-ports', { deviceId, name: `p${++count}`, ...body })).id;
const cable = (aId: string, bId: string, more: object = {}): Promise<Answer> =>
  editor.post('/api/cables', { aId, bId, ...more });
const join = async (aId: string, bId: string, more: object = {}): Promise<{ id: string; [field: string]: unknown }> =>
  editor.make('/api/cables', { aId, bId, ...more });
const trace = async (id: string): Promise<Trace> => (await editor.get(`/api/device-ports/${id}/trace`)).body.data;
const namesOf = (entries: Entry[]): unknown[] =>
  entries.filter(({ resource }) => resource !== 'cables').map(({ name }) => name);

/** Creates a patch panel: a rear port with one front port for each position. */
async function panel(positions = 1): Promise<{ device: string; rear: string; fronts: string[] }> {
  const deviceId = await device();
  const rear = await port(deviceId, { kind: 'rear', positions });
  const fronts: string[] = [];
  for (let rearPosition = 1; rearPosition <= positions; rearPosition++) {
    fronts.push(await port(deviceId, { kind: 'front', rearPortId: rear, rearPosition }));
  }
  return { device: deviceId, rear, fronts };
}

describe('what fits', () => {
  const KINDS = ['network', 'console', 'console-server', 'power', 'outlet', 'front', 'rear', 'termination', 'feed'];
  const FITS = [
    ...['network network', 'network front', 'network rear', 'front front', 'front rear', 'rear rear'],
    ...['console console-server', 'console front', 'console rear', 'console-server front', 'console-server rear'],
    ...['power outlet', 'termination network', 'termination front', 'termination rear', 'feed power'],
  ];
  const end = async (kind: string): Promise<{ resource?: string; id: string }> => {
    if (kind === 'termination') {
      const circuit = await editor.make('/api/circuits', { circuitNumber: `C-${++count}` });
      const { id } = await editor.make('/api/circuit-terminations', { circuitId: circuit.id, side: 'A' });
      return { resource: 'circuit-terminations', id };
    }
    if (kind === 'feed')
      return { resource: 'power-feeds', id: (await editor.make('/api/power-feeds', { name: 'A' })).id };
    const deviceId = await device();
    const more = kind === 'front' ? { rearPortId: await port(deviceId, { kind: 'rear' }) } : {};
    return { id: await port(deviceId, { kind, ...more }) };
  };

  it('is joined, and nothing else', async () => {
    for (const [index, one] of KINDS.entries()) {
      for (const other of KINDS.slice(index)) {
        const fits = FITS.includes(`${one} ${other}`) || FITS.includes(`${other} ${one}`);
        // Of the pairs that do not fit, those with the first kind are enough.
        if (!fits && index > 0 && !inFull) continue;
        const [a, b] = [await end(one), await end(other)];
        const body = { aResource: a.resource, aId: a.id, bResource: b.resource, bId: b.id };
        const answer = await editor.post('/api/cables', body);
        expect([one, other, ...refusal(answer)]).toEqual([one, other, fits ? 201 : 400, fits ? [] : ['bId']]);
      }
    }
  });

  it('is no port of a type that nothing is plugged into, and not the port itself', async () => {
    const deviceId = await device();
    const good = await port(deviceId);
    expect(refusal(await cable(good, good))).toEqual([400, ['bId']]);
    for (const type of ['virtual', 'lag', 'bridge']) {
      const bad = await port(deviceId, { type });
      expect(refusal(await cable(good, bad))).toEqual([400, ['bId']]);
      expect(refusal(await cable(bad, good))).toEqual([400, ['aId']]);
    }
    const other = await port(deviceId);
    await join(good, other);
    expect(refusal(await editor.patch(`/api/device-ports/${good}`, { type: 'lag' }))).toEqual([409, ['type']]);
    expect((await editor.patch(`/api/device-ports/${good}`, { type: '10gbase-t' })).status).toBe(200);
  });

  it('exists', async () => {
    const one = await port(await device());
    const missing = '00000000-0000-4000-8000-000000000000';
    expect(refusal(await cable(one, missing))).toEqual([400, ['bId']]);
    expect(refusal(await cable(missing, missing))).toEqual([400, ['bId']]);
    expect(refusal(await editor.post('/api/cables', { aResource: 'power-feeds', aId: one, bId: one }))).toEqual([
      400,
      ['aId'],
    ]);
  });
});

describe('a cable', () => {
  it('is the only one of an end, and keeps its ends', async () => {
    const [site, rack] = [
      await editor.make('/api/sites', { name: 'S' }),
      await editor.make('/api/racks', { name: 'R' }),
    ];
    const deviceId = await device({ name: 'ams-leaf-01', siteId: site.id, rackId: rack.id });
    const [one, two] = [await port(deviceId, { name: 'Ethernet1' }), await port(await device())];
    const third = await port(await device());
    const made = await join(one, two, { label: 'L1', lengthM: 2.5, color: '#FF0000', type: 'cat6' });
    expect(made).toMatchObject({
      aResource: 'device-ports',
      status: 'connected',
      aName: 'ams-leaf-01 Ethernet1',
      bName: expect.stringMatching(/^cabled-/),
    });
    expect(await editor.get(`/api/device-ports/${one}`)).toMatchObject({ body: { data: { cableId: made.id } } });
    expect((await editor.get(`/api/device-ports/${third}`)).body.data.cableId).toBeNull();
    const taken = await cable(third, one);
    expect([refusal(taken), taken.body.error]).toEqual([
      [409, ['bId']],
      `bId already has a cable: 'L1' (cables ${made.id})`,
    ]);
    expect(refusal(await cable(two, third))).toEqual([409, ['aId']]);
    const fourth = await join(third, await port(await device()), { label: 'L2' });
    const both = await cable(third, one);
    expect([refusal(both), both.body.error]).toEqual([
      [409, ['aId', 'bId']],
      `aId already has a cable: 'L2' (cables ${fourth.id}); bId already has a cable: 'L1' (cables ${made.id})`,
    ]);
    const bulk = await editor.post('/api/cables/bulk', {
      operations: [{ op: 'create', data: { aId: third, bId: one } }],
    });
    expect(refusal(bulk)).toEqual([409, ['operations[0].data.aId', 'operations[0].data.bId']]);
    expect(bulk.body.error).toContain(`operations[0].data.bId already has a cable: 'L1' (cables ${made.id})`);
    await editor.delete(`/api/cables/${fourth.id}`);
    const path = `/api/cables/${made.id}`;
    expect(refusal(await editor.patch(path, { bId: third }))).toEqual([400, ['bId']]);
    expect(refusal(await editor.patch(path, { aResource: 'power-feeds' }))).toEqual([400, ['aResource']]);
    expect((await editor.patch(path, { aId: one, bId: two, status: 'planned' })).status).toBe(200);
    expect(refusal(await cable(third, third, { lengthM: -1 }))[0]).toBe(400);
    for (const [filter, id] of Object.entries({ deviceId, siteId: site.id, rackId: rack.id })) {
      expect([filter, (await editor.get(`/api/cables?${filter}=${id}`)).body.total]).toEqual([filter, 1]);
    }
    for (const isConnected of [true, false]) {
      const { data } = (await editor.get(`/api/device-ports?id=${one}&id=${third}&isConnected=${isConnected}`)).body;
      expect(data.map(({ id }: Entry) => id)).toEqual([isConnected ? one : third]);
    }
  });

  it('goes with its end, and comes back with it where the other is free', async () => {
    const [here, there] = [await device(), await device()];
    const [one, two, three, four] = [await port(here), await port(there), await port(here), await port(there)];
    const kept = await join(one, two, { label: 'kept' });
    const lost = await join(three, four, { label: 'lost' });
    await editor.delete(`/api/devices/${here}`);
    const { data } = (await admin.get(`/api/cables/${kept.id}/changes?sort=createdAt&order=desc`)).body;
    expect(data[0]).toMatchObject({ action: 'delete', recordName: 'kept' });
    expect((await editor.get(`/api/device-ports/${two}`)).body.data.cableId).toBeNull();
    await join(four, await port(await device()));
    expect((await admin.post(`/api/devices/${here}/restore`)).status).toBe(200);
    expect((await editor.get(`/api/device-ports/${one}`)).body.data.cableId).toBe(kept.id);
    expect((await editor.get(`/api/cables/${lost.id}`)).status).toBe(404);
    expect((await admin.post(`/api/cables/${lost.id}/restore`)).status).toBe(409);
    await editor.delete(`/api/device-ports/${one}`);
    expect((await editor.get(`/api/cables/${kept.id}`)).status).toBe(404);
  });

  it('stays away where the other end can have none any more', async () => {
    const here = await device();
    const [one, two] = [await port(here), await port(await device())];
    const { id } = await join(one, two);
    await editor.delete(`/api/devices/${here}`);
    await editor.patch(`/api/device-ports/${two}`, { type: 'lag' });
    expect((await admin.post(`/api/devices/${here}/restore`)).status).toBe(200);
    expect((await editor.get(`/api/cables/${id}`)).status).toBe(404);
    expect((await editor.get(`/api/device-ports/${one}`)).body.data.cableId).toBeNull();
  });

  it('is changed together with others, also with an end that it has', async () => {
    const feed = await editor.make('/api/power-feeds', { name: 'Feed B' });
    const supply = await port(await device(), { kind: 'power' });
    const { id } = await join(supply, feed.id, { bResource: 'power-feeds' });
    const change = (bId: string): Promise<Answer> =>
      editor.post('/api/cables/bulk', { operations: [{ op: 'update', id, data: { bId, label: 'F' } }] });
    expect((await change(feed.id)).body.data).toMatchObject({ updated: 1 });
    expect(refusal(await change(await port(await device())))).toEqual([400, ['operations[0].data.bId']]);
  });

  it('comes back with a circuit and with a feed', async () => {
    const circuit = await editor.make('/api/circuits', { circuitNumber: 'C-back' });
    const end = await editor.make('/api/circuit-terminations', { circuitId: circuit.id, side: 'A' });
    const line = await join(end.id, await port(await device()), { aResource: 'circuit-terminations' });
    expect(line.aName).toBe('C-back A');
    const feed = await editor.make('/api/power-feeds', { name: 'Feed A' });
    const supply = await port(await device(), { kind: 'power' });
    const power = await join(supply, feed.id, { bResource: 'power-feeds' });
    expect(power.bName).toBe('Feed A');
    for (const [path, id] of [
      [`/api/circuits/${circuit.id}`, line.id],
      [`/api/power-feeds/${feed.id}`, power.id],
    ] as const) {
      expect((await editor.delete(path)).status).toBe(204);
      expect((await editor.get(`/api/cables/${id}`)).status).toBe(404);
      expect((await admin.post(`${path}/restore`)).status).toBe(200);
      expect((await editor.get(`/api/cables/${id}`)).status).toBe(200);
    }
    expect((await editor.get(`/api/power-feeds/${feed.id}`)).body.data.cableId).toBe(power.id);
    expect((await editor.get(`/api/circuit-terminations/${end.id}`)).body.data.cableId).toBe(line.id);
  });
});

describe('a trace', () => {
  it('passes panels and circuits', async () => {
    const [server, sw] = [await device({ name: 'server' }), await device({ name: 'switch' })];
    const [eth, uplink] = [await port(server, { name: 'eth0' }), await port(sw, { name: 'Ethernet1' })];
    expect(await trace(eth)).toMatchObject({
      status: 'not_connected',
      path: [{ id: eth }],
      branches: [],
      planned: false,
    });
    const [left, right] = [await panel(2), await panel(2)];
    const first = await join(eth, left.fronts[1]!);
    const trunk = await join(left.rear, right.rear, { status: 'planned' });
    const open = await trace(eth);
    expect([open.status, open.path.at(-1)!.id, open.planned]).toEqual(['open', right.fronts[1], true]);
    const circuit = await editor.make('/api/circuits', { circuitNumber: 'C-7' });
    const [a, z] = [
      await editor.make('/api/circuit-terminations', { circuitId: circuit.id, side: 'A' }),
      await editor.make('/api/circuit-terminations', { circuitId: circuit.id, side: 'Z' }),
    ];
    await join(right.fronts[1]!, a.id, { bResource: 'circuit-terminations' });
    const ended = await trace(eth);
    expect([ended.status, ended.path.at(-1)!.name]).toEqual(['complete', 'C-7 Z']);
    await join(z.id, uplink, { aResource: 'circuit-terminations' });
    const whole = await trace(eth);
    expect(whole).toMatchObject({ status: 'complete', branches: [], planned: true });
    expect(whole.path.slice(0, 4)).toEqual([
      { resource: 'device-ports', id: eth, name: 'eth0', kind: 'network', device: { id: server, name: 'server' } },
      { resource: 'cables', id: first.id, name: null },
      expect.objectContaining({ id: left.fronts[1], kind: 'front' }),
      expect.objectContaining({ id: left.rear, kind: 'rear' }),
    ]);
    expect(whole.path.map(({ resource }) => resource).slice(-6)).toEqual([
      ...['cables', 'circuit-terminations', 'circuits', 'circuit-terminations', 'cables', 'device-ports'],
    ]);
    expect((await trace(uplink)).path).toEqual(whole.path.toReversed());
    // A trace that starts at a rear port continues with the cable of that port.
    expect(namesOf((await trace(left.rear)).path)).toHaveLength(2);
    expect(await trace(left.rear)).toMatchObject({
      status: 'splits',
      branches: [{ id: right.fronts[0] }, { id: right.fronts[1] }],
    });
    const nested = await editor.get(`/api/devices/${server}/ports/${eth}/trace`);
    expect(nested.body.data).toEqual(whole);
    expect((await editor.get(`/api/devices/${sw}/ports/${eth}/trace`)).status).toBe(404);
    const svg = await editor.get(`/api/device-ports/${eth}/trace?format=svg`);
    expect([svg.status, svg.headers.get('content-type'), svg.text]).toEqual([
      200,
      expect.stringContaining('image/svg+xml'),
      expect.stringContaining('switch Ethernet1'),
    ]);
    const { body } = await editor.get(`/api/devices/${server}/neighbours`);
    expect(body).toMatchObject({
      total: 1,
      data: [{ port: { id: eth }, end: { id: uplink, device: { name: 'switch' } }, status: 'complete', cables: 4 }],
    });
    const { text } = await editor.get(`/api/devices/${server}/neighbours?format=csv`);
    const columns = ['id', 'name', 'kind', 'device.id', 'device.name'];
    const row = [eth, 'eth0', 'network', server, 'server', uplink, 'Ethernet1', 'network', sw, 'switch', 'complete', 4];
    expect(text.trimEnd().split('\r\n')).toEqual([
      [...columns.map((name) => `port.${name}`), ...columns.map((name) => `end.${name}`), 'status', 'cables'].join(','),
      row.join(','),
    ]);
    await editor.delete(`/api/cables/${trunk.id}`);
    expect((await editor.get(`/api/devices/${server}/neighbours`)).body.data[0]).toMatchObject({
      end: null,
      status: 'open',
    });
  });

  it('ends at a termination that is alone in its circuit, without the circuit', async () => {
    const circuit = await editor.make('/api/circuits', { circuitNumber: 'C-alone' });
    const a = await editor.make('/api/circuit-terminations', { circuitId: circuit.id, side: 'A' });
    const one = await port(await device());
    await join(one, a.id, { bResource: 'circuit-terminations' });
    const { status, path } = await trace(one);
    expect([status, path.length, path.at(-1)!.name]).toEqual(['complete', 3, 'C-alone A']);
  });

  itInFull('of more than 512 entries is cut', async () => {
    const panels = 180;
    const deviceId = await device();
    const rows = Array.from({ length: panels }, (_, at) => [
      { op: 'create', data: { deviceId, kind: 'rear', name: `R${at}` } },
    ]).flat();
    const { results } = await editor.post('/api/device-ports/bulk', { operations: rows }).then(({ body }) => body.data);
    const rears = results.map(({ id }: Entry) => id) as string[];
    const fronts = (
      await editor.post('/api/device-ports/bulk', {
        operations: rears.map((rearPortId, at) => ({
          op: 'create',
          data: { deviceId, kind: 'front', name: `F${at}`, rearPortId },
        })),
      })
    ).body.data.results.map(({ id }: Entry) => id) as string[];
    const start = await port(await device());
    const cables = [{ aId: start, bId: fronts[0] }];
    for (let at = 0; at + 1 < panels; at++) {
      const [a, b] = at % 2 === 0 ? [rears[at], rears[at + 1]] : [fronts[at], fronts[at + 1]];
      cables.push({ aId: a!, bId: b! });
    }
    const made = await editor.post('/api/cables/bulk', { operations: cables.map((data) => ({ op: 'create', data })) });
    expect(made.status).toBe(200);
    const { path, ...whole } = await trace(start);
    expect([path.length, whole]).toEqual([512, { status: 'open', branches: [], planned: false, truncated: true }]);
    await editor.delete(`/api/cables/${made.body.data.results[169].id}`);
    expect(await trace(start)).toMatchObject({ status: 'open' });
    expect((await trace(start)).truncated).toBeUndefined();
    expect((await trace(start)).path).toEqual(path.slice(0, 1 + 169 * 3));
  });
});

describe('a loop', () => {
  it('is refused', async () => {
    const [one, two] = [await panel(), await panel()];
    await join(one.rear, two.rear);
    expect(refusal(await cable(one.fronts[0]!, two.fronts[0]!))).toEqual([409, ['bId']]);
    const bulk = await panel();
    const other = await panel();
    const refused = await editor.post('/api/cables/bulk', {
      operations: [
        { op: 'create', data: { aId: bulk.rear, bId: other.rear } },
        { op: 'create', data: { aId: bulk.fronts[0], bId: other.fronts[0] } },
      ],
    });
    expect(refused.status).toBe(409);
  });

  it('is one whichever cable comes last', async () => {
    const [one, two] = [await panel(), await panel()];
    await join(one.fronts[0]!, two.fronts[0]!);
    expect(refusal(await cable(one.rear, two.rear))).toEqual([409, ['bId']]);
  });

  it('is none where two positions of a trunk are joined at one end', async () => {
    const [one, two] = [await panel(2), await panel(2)];
    await join(two.fronts[0]!, two.fronts[1]!);
    await join(one.rear, two.rear);
    const [a, b] = [await port(await device()), await port(await device())];
    await join(a, one.fronts[0]!);
    await join(b, one.fronts[1]!);
    const { status, path } = await trace(a);
    expect([status, path.at(-1)!.id]).toEqual(['complete', b]);
    expect((await trace(b)).path).toEqual(path.toReversed());
  });

  it('is one where they are joined at both ends', async () => {
    const [one, two] = [await panel(2), await panel(2)];
    await join(two.fronts[0]!, two.fronts[1]!);
    await join(one.rear, two.rear);
    expect(refusal(await cable(one.fronts[0]!, one.fronts[1]!))).toEqual([409, ['bId']]);
    const [three, four] = [await panel(2), await panel(2)];
    await join(three.fronts[0]!, three.fronts[1]!);
    await join(four.fronts[0]!, four.fronts[1]!);
    expect(refusal(await cable(three.rear, four.rear))).toEqual([409, ['bId']]);
  });

  it('is one from a front port to the rear port behind it', async () => {
    for (const positions of [1, 2, 8]) {
      const { rear, fronts } = await panel(positions);
      expect(refusal(await cable(fronts[0]!, rear))).toEqual([409, ['bId']]);
      expect(refusal(await cable(rear, fronts.at(-1)!))).toEqual([409, ['bId']]);
    }
  });

  it('is closed by a front port that is moved', async () => {
    const [one, two] = [await panel(1), await panel(2)];
    await editor.patch(`/api/device-ports/${one.rear}`, { positions: 2 });
    await join(one.rear, two.rear);
    const moved = await port(one.device, { kind: 'front', rearPortId: one.rear, rearPosition: 2 });
    await join(moved, two.fronts[0]!);
    await editor.delete(`/api/device-ports/${one.fronts[0]}`);
    expect(refusal(await editor.patch(`/api/device-ports/${moved}`, { rearPosition: 1 }))).toEqual([
      409,
      ['rearPortId'],
    ]);
  });

  it('is closed by a rear port whose positions become one', async () => {
    const [one, two] = [await panel(2), await panel(2)];
    await editor.delete(`/api/device-ports/${one.fronts[1]}`);
    await join(one.rear, two.rear);
    await join(one.fronts[0]!, two.fronts[1]!);
    expect(refusal(await editor.patch(`/api/device-ports/${one.rear}`, { positions: 1 }))).toEqual([
      409,
      ['positions'],
    ]);
    expect((await editor.patch(`/api/device-ports/${one.rear}`, { positions: 3 })).status).toBe(200);
    expect(await trace(one.fronts[0]!)).toMatchObject({ status: 'open' });
  });

  it('is refused where power would feed itself', async () => {
    const [one, two] = [await device(), await device()];
    const pair = async (id: string): Promise<[string, string]> => [
      await port(id, { kind: 'power' }),
      await port(id, { kind: 'outlet' }),
    ];
    const [[inOne, outOne], [inTwo, outTwo]] = [await pair(one), await pair(two)];
    await join(outOne, inTwo);
    expect(refusal(await cable(outTwo, inOne))).toEqual([409, ['bId']]);
    const spare = await port(two, { kind: 'power' });
    await editor.patch(`/api/device-ports/${outTwo}`, { powerPortId: spare });
    await join(outTwo, inOne);
    expect(refusal(await editor.patch(`/api/device-ports/${outTwo}`, { powerPortId: null }))).toEqual([
      409,
      ['powerPortId'],
    ]);
  });
});

/** Patch panels that random cables connect with each other and with ports of devices. */
const estates = fc.record({
  sizes: fc.array(fc.constantFrom(1, 1, 2, 3, 8, 48), { minLength: 2, maxLength: 5 }),
  // Trunks connect rear ports. Then patch cables connect any two ends that fit.
  trunks: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
  patches: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { minLength: 5, maxLength: 30 }),
});

itInFull(
  'traces are symmetric in random estates',
  async () => {
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(estates, async ({ sizes, trunks, patches }) => {
        const panels = [];
        for (const size of sizes) panels.push(await panel(size));
        const hosts = await device();
        const ends: string[] = [];
        for (let at = 0; at < 12; at++) ends.push(await port(hosts));
        const rears = panels.map(({ rear }) => rear);
        const planned = new Set<string>();
        const plug = async (aId: string, bId: string, isPlanned = false): Promise<void> => {
          const { status, body } = await cable(aId, bId, isPlanned ? { status: 'planned' } : {});
          expect([201, 400, 409]).toContain(status);
          if (isPlanned && status === 201) planned.add(body.data.id);
        };
        for (const [a, b] of trunks) await plug(rears[a % rears.length]!, rears[b % rears.length]!);
        // Low positions are more likely, so that both ends of a trunk are in use.
        const all = [
          ...ends,
          ...panels.flatMap(({ fronts }) => [...fronts.slice(0, 3), ...fronts.slice(0, 8)]),
          ...rears,
        ];
        for (const [a, b, isPlanned] of patches) await plug(all[a % all.length]!, all[b % all.length]!, isPlanned);

        const fronts = new Map(panels.map((one) => [one.rear, one.fronts]));
        /** The number of stored positions at the end of a path. */
        const remembered = (path: Entry[]): number => {
          let depth = 0;
          for (const [at, { id }] of path.entries()) {
            if (at === 0 || path[at - 1]!.resource !== 'cables') continue;
            const behind = path[at + 1];
            if (behind && (fronts.get(behind.id)?.length ?? 0) > 1) depth++;
            if ((fronts.get(id)?.length ?? 0) > 1 && depth > 0) depth--;
          }
          return depth;
        };
        for (const id of [...ends, ...panels.flatMap((one) => [one.rear, ...one.fronts.slice(0, 4)])]) {
          const found = await trace(id);
          met.add(found.status);
          expect(found.truncated).toBeUndefined();
          expect(found.planned).toBe(found.path.some((entry) => planned.has(entry.id)));
          const last = found.path.at(-1)!.id;
          if (found.status === 'splits') expect(found.branches.map((one) => one.id)).toEqual(fronts.get(last));
          else expect(found.branches).toEqual([]);
          if (found.status !== 'complete' || !ends.includes(id)) continue;
          const back = await trace(last);
          if (remembered(found.path) > 0) expect(back.status).toBe('splits');
          else expect(back.path).toEqual(found.path.toReversed());
          met.add(remembered(found.path) > 0 ? 'left over' : found.path.length > 5 ? 'long' : 'short');
        }
      }),
      // With this seed, all kinds of paths occur.
      { numRuns: onServer ? 25 : 10, seed: Number(process.env.PROPERTY_SEED ?? 1) },
    );
    for (const kind of ['complete', 'open', 'splits', 'not_connected', 'long']) expect(met).toContain(kind);
  },
  120_000,
);

itOnServer('takes an end whose other cable goes in the middle of it', async () => {
  const host = await device();
  const [a, b, c] = await Promise.all([port(host), port(host), port(host)]);
  const former = (await cable(a, b)).body.data.id as string;
  const held = new Client({ connectionString: service.database.url });
  await held.connect();
  try {
    // Each cable waits after the insert of its ends.
    await held.query(`CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$`);
    await held.query(
      'CREATE TRIGGER wait_here AFTER INSERT ON cable_ends FOR EACH STATEMENT EXECUTE FUNCTION wait_here()',
    );
    await held.query('SELECT pg_advisory_lock(4711)');
    const making = cable(a, c);
    await until(async () => {
      const { rows } = await held.query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`,
      );
      return rows.length === 1;
    });
    expect((await editor.delete(`/api/cables/${former}`)).status).toBe(204);
    await held.query('SELECT pg_advisory_unlock(4711)');
    const { status, body } = await making;
    expect(status).toBe(201);
    for (const id of [a, c]) expect((await editor.get(`/api/device-ports/${id}`)).body.data.cableId).toBe(body.data.id);
    expect((await cable(a, b)).status).toBe(409);
  } finally {
    await held.query('DROP FUNCTION IF EXISTS wait_here CASCADE');
    await held.end();
  }
});

itInFull(
  'many writers of the same ports make one cable each, and no loop',
  async () => {
    const panels = await Promise.all([1, 1, 1, 2, 2, 4].map((size) => panel(size)));
    const host = await device();
    const ports = await Promise.all(Array.from({ length: 4 }, () => port(host)));
    const all = [...ports, ...panels.flatMap(({ rear, fronts }) => [rear, ...fronts])];
    const end = Date.now() + (onServer ? 120_000 : 3000);
    let made = 0;
    const writer = async (seed: number): Promise<void> => {
      // A busy machine gets more time.
      for (let n = seed; Date.now() < end || (made <= 10 && Date.now() < end + 60_000); n += 7) {
        const { status, body } = await cable(all[(n * 5) % all.length]!, all[(n * 3 + seed) % all.length]!);
        expect([201, 400, 409]).toContain(status);
        if (status !== 201) continue;
        made++;
        // Another writer may have deleted it already.
        if (n % 3 > 0) expect([204, 404]).toContain((await editor.delete(`/api/cables/${body.data.id}`)).status);
        // A trace also ends if others write at the same time.
        else expect((await trace(all[n % all.length]!)).truncated).toBeUndefined();
        // Frees some ends.
        const { data } = (await editor.get(`/api/cables?deviceId=${host}&pageSize=1`)).body;
        if (data.length > 0) expect([204, 404]).toContain((await editor.delete(`/api/cables/${data[0].id}`)).status);
      }
    };
    await Promise.all(Array.from({ length: 32 }, (_, seed) => writer(seed)));
    expect(made).toBeGreaterThan(10);
    const cables = (await editor.get('/api/cables')).body.data as { id: string; aId: string; bId: string }[];
    const mine = cables.filter(({ aId, bId }) => all.includes(aId) || all.includes(bId));
    const joined = mine.flatMap(({ aId, bId }) => [aId, bId]);
    expect(new Set(joined).size).toBe(joined.length);
    const { body } = await editor.get('/api/device-ports');
    const cableOf = new Map(body.data.map((one: { id: string; cableId: string | null }) => [one.id, one.cableId]));
    for (const { id, aId, bId } of mine) expect([cableOf.get(aId), cableOf.get(bId)]).toEqual([id, id]);
    for (const id of all) {
      const { status, truncated } = await trace(id);
      expect(['open', 'splits', 'complete', 'not_connected']).toContain(status);
      expect(truncated).toBeUndefined();
    }
  },
  200_000,
);
