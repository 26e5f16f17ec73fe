// The measured operations: for each one, the requests that its clients send one after another, and the target ratio.
import { EMAIL, idOf, ids, PASSWORD } from './data.mjs';

/**
 * @typedef {object} Operation
 * @property {string} name
 * @property {string} key short name for --only
 * @property {number} [floor] lowest acceptable ratio of the service to the reference whose JSON the database makes
 * @property {number[]} [callers] numbers of callers among whom the connections are shared; one caller by default
 * @property {boolean} [isMain] whether it is measured without --all and --only
 * @property {(n: number) => { method?: string, path: string, body?: object, anonymous?: boolean }} request the n-th request
 * @property {number} [longer] factor for the duration of the measurement, for slow operations
 * @property {string[]} [unlike] properties of a response that differ from one request to the next
 * @property {boolean} [firstByte] whether to measure the time to the first byte too
 * @property {(seconds: number) => string[]} [before] statements that provide the records of a measurement, run one by one
 * @property {string} [after] SQL that reverts the writes of a measurement
 */

/**
 * Each client requests a different list.
 * @type {Operation}
 */
export const wholeList = {
  key: 'whole',
  name: 'whole list, 10,000 rows',
  floor: 0.7,
  isMain: true,
  firstByte: true,
  request: (n) => ({ path: `/api/ip-addresses?page=${1 + (n % 9)}&pageSize=${10_000 - (Math.floor(n / 9) % 100)}` }),
};

/** Records to delete: clients of a measurement begin anywhere in the first thousand, and no server deletes more in a second. */
const doomedIn = (seconds) => Math.ceil(1_000 + 25_000 * seconds);
/** Longest measurement, in seconds. */
const LONGEST = 10;

/** @returns {Promise<Operation[]>} */
export async function operations(client) {
  const doomed = await ids(client, 'doomed', doomedIn(LONGEST));
  const addressIds = await ids(client, 'address', 5_000);
  const issueIds = await ids(client, 'issue', 5_000);
  const deviceIds = await ids(client, 'device', 2_000);
  const orderIds = await ids(client, 'order', 64);
  const lineIds = await ids(client, 'line', 64);
  // A step without common factors with the lengths above visits every id before it repeats one.
  const nth = (list, n) => list[(n * 997) % list.length];
  // Pages that clients usually read. Concurrent requests differ, and none is far into the list.
  const near = (n) => 1 + (n % 19);
  const statuses = ['open', 'investigating', 'workaround_available', 'resolved', 'closed', 'wont_fix'];
  const units = Array.from({ length: 100 }, (_, i) => ({ serialNumber: `SN-${i}`, assetTag: `T-${i}` }));
  const words = [
    'switch',
    'router',
    'firewall',
    'storage',
    'cluster',
    'uplink',
    'firmware',
    'power',
    'optic',
    'routing',
  ];
  return [
    {
      key: 'read',
      name: 'read one',
      floor: 0.7,
      isMain: true,
      callers: [1, 16],
      request: (n) => ({ path: `/api/ip-addresses/${nth(addressIds, n)}` }),
    },
    {
      key: 'page',
      name: 'page of 50 with total',
      floor: 4,
      isMain: true,
      callers: [1, 16],
      request: (n) => ({ path: `/api/ip-addresses?pageSize=50&page=${near(n)}` }),
    },
    {
      key: 'search',
      name: 'page of 50, filtered, searched, sorted, with total',
      floor: 3,
      isMain: true,
      request: (n) => ({
        path: `/api/known-issues?status=${statuses[n % statuses.length]}&search=${words[Math.floor(n / 6) % words.length]}&sort=name&order=desc&pageSize=50&page=${1 + (Math.floor(n / 60) % 5)}`,
      }),
    },
    {
      key: 'sorted',
      name: 'page of 50, sorted by address, name or reference',
      request: (n) => ({
        path: `/api/ip-addresses?sort=${['address', 'dnsName', 'interfaceId'][n % 3]}&order=${['asc', 'desc'][Math.floor(n / 3) % 2]}&pageSize=50&page=${near(Math.floor(n / 6))}`,
      }),
    },
    {
      key: 'sorted-plain',
      name: 'page of 50, sorted by status, role or time of change',
      request: (n) => ({
        path: `/api/ip-addresses?sort=${['status', 'role', 'updatedAt'][n % 3]}&order=${['asc', 'desc'][Math.floor(n / 3) % 2]}&pageSize=50&page=${near(Math.floor(n / 6))}`,
      }),
    },
    {
      key: 'by-reference',
      name: 'page of 50, filtered by a reference',
      request: (n) => ({ path: `/api/ip-addresses?deviceId=${nth(deviceIds, n)}&pageSize=50` }),
    },
    {
      key: 'by-status',
      name: 'page of 50, filtered by status',
      request: (n) => ({
        path: `/api/ip-addresses?status=${['active', 'reserved', 'deprecated', 'dhcp'][n % 4]}&pageSize=50&page=${near(Math.floor(n / 4))}`,
      }),
    },
    {
      key: 'by-time',
      name: 'page of 50, filtered by the time of creation',
      request: (n) => {
        const from = Date.UTC(2026, 0, 1) + (n % 80_000) * 1000;
        const [start, end] = [from, from + 3_600_000].map((time) => new Date(time).toISOString());
        return { path: `/api/ip-addresses?createdAt__gte=${start}&createdAt__lt=${end}&pageSize=50&page=${near(n)}` };
      },
    },
    {
      key: 'create',
      name: 'create',
      floor: 0.25,
      isMain: true,
      callers: [1, 16],
      request: (n) => ({
        method: 'POST',
        path: '/api/known-issues',
        body: {
          name: `Uplink flaps ${n}`,
          severity: 'high',
          affectedSystem: 'core-1',
          description: 'Seen since the last maintenance',
        },
      }),
      unlike: ['id', 'createdAt', 'updatedAt'],
      after: `DELETE FROM known_issues WHERE name LIKE 'Uplink flaps %' AND created_at > '2026-06-01'`,
    },
    {
      key: 'patch',
      name: 'PATCH',
      floor: 0.3,
      isMain: true,
      callers: [1, 16],
      request: (n) => ({
        method: 'PATCH',
        path: `/api/known-issues/${nth(issueIds, n)}`,
        body: { workaround: `Restart it, attempt ${n}` },
      }),
      unlike: ['updatedAt'],
    },
    {
      key: 'delete',
      name: 'delete',
      request: (n) => ({ method: 'DELETE', path: `/api/known-issues/${doomed[n]}` }),
      before: (seconds) => [
        `INSERT INTO known_issues (id, name, severity, affected_system, description)
         SELECT ${idOf('doomed', 'i')}, 'Uplink flaps ' || i, 'high', 'core-1', 'Seen since the last maintenance'
         FROM generate_series(1, ${doomedIn(seconds)}) i`,
        'VACUUM known_issues',
      ],
      after: `DELETE FROM known_issues WHERE name LIKE 'Uplink flaps %' AND created_at > '2026-06-01'`,
    },
    { ...wholeList, longer: 4 },
    {
      key: 'deep',
      name: 'pages 1,400 to 1,599 of 50',
      longer: 2,
      request: (n) => ({ path: `/api/ip-addresses?pageSize=50&page=${1400 + ((n * 97) % 200)}` }),
    },
    {
      key: 'ips',
      name: "a device's ips",
      request: (n) => ({ path: `/api/devices/${nth(deviceIds, n)}/ips` }),
    },
    {
      key: 'people',
      name: 'people with assetCount, page of 50',
      request: (n) => ({ path: `/api/people?pageSize=50&page=${near(n)}` }),
    },
    {
      key: 'receive',
      name: 'receive 100 units',
      request: (n) => ({
        method: 'POST',
        path: `/api/purchase-orders/${orderIds[n % 64]}/receive`,
        body: { items: [{ itemId: lineIds[n % 64], quantity: 100, assets: units }] },
      }),
      unlike: ['assetIds'],
      after: `WITH gone AS (DELETE FROM assets WHERE purchase_order_id IS NOT NULL RETURNING 1) UPDATE purchase_order_items SET quantity_received = 0`,
    },
    {
      key: 'login',
      name: 'log in',
      longer: 2,
      request: () => ({
        method: 'POST',
        path: '/api/auth/login',
        body: { email: EMAIL, password: PASSWORD },
        anonymous: true,
      }),
    },
  ];
}
