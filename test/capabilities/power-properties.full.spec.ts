import * as fc from 'fast-check';
import { startService, type Api, type TestService } from '../support/app.js';
import { inFull } from '../support/size.js';
import { sql, type Sql } from '../../src/database/sql.js';

/* Compares the impact and the power of racks in random estates with the definition in the documentation, sentence by sentence. */

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

interface Outlet {
  id: string;
  device: string;
  /** Ids of the power ports that supply the outlet. */
  feeders: readonly string[];
}

/** The records of an estate, by their ids. */
interface Estate {
  feeds: string[];
  devices: { id: string; ports: string[]; outlets: string[] }[];
  outlets: Map<string, Outlet>;
  draws: Map<string, number>;
  /** The feed or outlet at the other end of the cable of a power port. */
  supplier: Map<string, string>;
  rack: string;
}

const device = fc.record({
  ports: fc.array(fc.tuple(fc.option(fc.nat({ max: 500 })), fc.option(fc.nat({ max: 500 }))), { maxLength: 3 }),
  outlets: fc.array(fc.option(fc.nat({ max: 2 })), { maxLength: 3 }),
});
const estates = fc.record({
  feeds: fc.integer({ min: 1, max: 3 }),
  devices: fc.array(device, { minLength: 2, maxLength: 7 }),
  cables: fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 4, maxLength: 20 }),
});
type Drawn = typeof estates extends fc.Arbitrary<infer T> ? T : never;

let count = 0;
async function store({ feeds, devices, cables }: Drawn): Promise<Estate> {
  const { db } = service.database;
  const insert = async (statement: Sql): Promise<string> =>
    (await db.query<{ id: string }>(sql`${statement} RETURNING id`))[0]!.id;
  const rack = await insert(sql`INSERT INTO racks (name) VALUES (${`rack-${++count}`})`);
  const estate: Estate = {
    feeds: [],
    devices: [],
    outlets: new Map(),
    draws: new Map(),
    supplier: new Map(),
    rack,
  };
  for (let at = 0; at < feeds; at++) {
    const feed = sql`INSERT INTO power_feeds (name, rack_id, voltage_v, amperage_a) VALUES (${`feed-${at}`}, ${rack}, 230, 32)`;
    estate.feeds.push(await insert(feed));
  }
  for (const { ports, outlets } of devices) {
    const id = await insert(sql`INSERT INTO devices (name, rack_id) VALUES (${`device-${++count}`}, ${rack})`);
    const own: Estate['devices'][number] = { id, ports: [], outlets: [] };
    for (const [at, [most, allocated]] of ports.entries()) {
      const port = await insert(
        sql`INSERT INTO device_ports (device_id, kind, name, maximum_draw_w, allocated_draw_w) VALUES (${id}, 'power', ${`in-${at}`}, ${most}, ${allocated})`,
      );
      own.ports.push(port);
      estate.draws.set(port, allocated ?? most ?? 0);
    }
    for (const [at, of] of outlets.entries()) {
      const feeder = of === null ? undefined : own.ports[of];
      const outlet = await insert(
        sql`INSERT INTO device_ports (device_id, kind, name, power_port_id) VALUES (${id}, 'outlet', ${`out-${at}`}, ${feeder ?? null})`,
      );
      own.outlets.push(outlet);
      estate.outlets.set(outlet, { id: outlet, device: id, feeders: feeder === undefined ? own.ports : [feeder] });
    }
    estate.devices.push(own);
  }
  const sockets = [...estate.feeds, ...estate.outlets.keys()];
  const plugs = [...estate.draws.keys()];
  for (const [a, b] of cables) {
    const aId = plugs[a % plugs.length];
    const bId = sockets[b % sockets.length]!;
    if (aId === undefined) break;
    const bResource = estate.feeds.includes(bId) ? 'power-feeds' : 'device-ports';
    const { status } = await admin.post('/api/cables', { aId, bId, bResource });
    // An end already has a cable, or the power would form a loop.
    expect([201, 409]).toContain(status);
    if (status === 201) estate.supplier.set(aId, bId);
  }
  return estate;
}

/**
 * The effect on each device when a feed or a device fails, computed directly from the definition, without a cache. A port that is being
 * computed counts as not lost: nothing is lost only because of itself.
 */
function effects({ devices, outlets, supplier }: Estate, failed: string): Map<string, string> {
  const isLost = (port: string, asked: ReadonlySet<string>): boolean => {
    const other = supplier.get(port);
    if (other === undefined || other === failed) return other === failed;
    const outlet = outlets.get(other);
    if (!outlet || asked.has(other)) return false;
    const now = new Set([...asked, other]);
    const cabled = outlet.feeders.filter((one) => supplier.has(one));
    return isDown(outlet.device, now) || (cabled.length > 0 && cabled.every((one) => isLost(one, now)));
  };
  const isDown = (id: string, asked: ReadonlySet<string>): boolean => {
    if (id === failed) return true;
    if (asked.has(id)) return false;
    const cabled = devices.find((one) => one.id === id)!.ports.filter((port) => supplier.has(port));
    return cabled.length > 0 && cabled.every((port) => isLost(port, new Set([...asked, id])));
  };
  return new Map(
    devices.flatMap(({ id, ports }) => {
      if (id === failed) return [];
      if (isDown(id, new Set())) return [[id, 'down']];
      return ports.some((port) => isLost(port, new Set())) ? [[id, 'degraded']] : [];
    }),
  );
}

/** The feeds that supply a power port, directly or through outlets. */
const feedsAbove = ({ feeds, outlets, supplier }: Estate, port: string): string[] => {
  const other = supplier.get(port);
  if (other === undefined) return [];
  if (feeds.includes(other)) return [other];
  return outlets.get(other)!.feeders.flatMap((one) => feedsAbove({ feeds, outlets, supplier } as Estate, one));
};

/** Compares the impact of each feed and device, and the power of the rack, with the definition. */
async function expectDefinition(estate: Estate): Promise<void> {
  const impacts: [string, string][] = [
    ...estate.feeds.map((id): [string, string] => ['power-feeds', id]),
    ...estate.devices.map(({ id }): [string, string] => ['devices', id]),
  ];
  for (const [resource, id] of impacts) {
    const { records } = (await admin.get(`/api/${resource}/${id}/impact`)).body.data;
    const found = records.filter((one: { resource: string }) => one.resource === 'devices');
    expect(new Map(found.map((one: { id: string; effect: string }) => [one.id, one.effect]))).toEqual(
      effects(estate, id),
    );
  }

  const power = (await admin.get(`/api/racks/${estate.rack}/power`)).body.data;
  const counting = estate.devices.filter(({ outlets }) => outlets.length === 0).flatMap(({ ports }) => ports);
  expect(power.feeds.map((feed: { id: string; allocatedW: number }) => [feed.id, feed.allocatedW])).toEqual(
    estate.feeds.map((feed) => [
      feed,
      counting
        .filter((port) => feedsAbove(estate, port).includes(feed))
        .reduce((sum, port) => sum + estate.draws.get(port)!, 0),
    ]),
  );
  const unfed = estate.devices.filter(
    ({ ports }) => ports.length > 0 && !ports.some((port) => estate.supplier.has(port)),
  );
  expect(power.unfed.map(({ id }: { id: string }) => id).toSorted()).toEqual(unfed.map(({ id }) => id).toSorted());
}

const port = [100, null] as [number, null];
/** The effect on each device when the first feed fails. Cables run from power ports to feeds and outlets, in the order of the devices. */
const TABLE: [string, Drawn, (string | undefined)[]][] = [
  ['one feed', { feeds: 1, devices: [{ ports: [port], outlets: [] }], cables: [[0, 0]] }, ['down']],
  [
    'two feeds',
    {
      feeds: 2,
      devices: [{ ports: [port, port], outlets: [] }],
      cables: [
        [0, 0],
        [1, 1],
      ],
    },
    ['degraded'],
  ],
  [
    'one feed, and a port without a cable',
    { feeds: 1, devices: [{ ports: [port, port], outlets: [] }], cables: [[0, 0]] },
    ['down'],
  ],
  [
    'cascaded PDUs',
    {
      feeds: 1,
      devices: [
        { ports: [port], outlets: [null] },
        { ports: [port], outlets: [0] },
        { ports: [port], outlets: [] },
      ],
      cables: [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
    },
    ['down', 'down', 'down'],
  ],
  [
    'a PDU on either feed',
    {
      feeds: 2,
      devices: [
        { ports: [port], outlets: [null] },
        { ports: [port], outlets: [null] },
        { ports: [port, port], outlets: [] },
      ],
      cables: [
        [0, 0],
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    },
    ['down', undefined, 'degraded'],
  ],
  [
    'a device with two feeds that feeds others, by outlets with and without a power port of their own',
    {
      feeds: 2,
      devices: [
        { ports: [port, port], outlets: [null, 0, 1] },
        { ports: [port], outlets: [] },
        { ports: [port], outlets: [] },
        { ports: [port], outlets: [] },
      ],
      cables: [
        [0, 0],
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
      ],
    },
    ['degraded', undefined, 'down', undefined],
  ],
];

it.each(TABLE)('%s', async (_name, drawn, expected) => {
  const estate = await store(drawn);
  expect(estate.supplier.size).toBe(drawn.cables.length);
  const found = effects(estate, estate.feeds[0]!);
  expect(estate.devices.map(({ id }) => found.get(id))).toEqual(expected);
  await expectDefinition(estate);
});

it('is as the definition says, whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(estates, async (drawn) => expectDefinition(await store(drawn))),
    { numRuns: inFull ? 40 : 5 },
  );
}, 120_000);
