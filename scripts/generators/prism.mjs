// Prism as a proxy: it refuses requests that the document does not allow, and reports such responses.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listening, work } from '../clients/workshop.mjs';

/** Formats of a time that the service accepts. */
const TIMES = ['2026-03-01', '2026-03-01T08:30', '2026-03-01t08:30:00z', '2026-03-01T08:30:00,5+0530', '2024-02-29'];
/** Query strings that every list accepts. Each list is asked two of them in turn, so that every one is asked of many lists. */
const QUERIES = [
  ...TIMES.map((time) => `createdAt__gte=${encodeURIComponent(time)}`),
  'createdAt=2026-03-01&createdAt=2026-03-02T08:30:00Z',
  'id=00000000-0000-4000-8000-00000000000A&sort=createdAt&order=desc',
  'page=1&pageSize=5',
  // The service accepts these for non-nullable fields too, although the document does not list them.
  'id__empty=true',
];

/** The required collections of references, by the name of the reference, and the properties that a new record needs for them. */
const REFERRED = {
  deviceId: ['/api/devices', {}],
  deviceTypeId: ['/api/device-types', {}],
  rackId: ['/api/racks', {}],
  assetId: ['/api/assets', {}],
  virtualMachineId: ['/api/virtual-machines', {}],
  circuitId: ['/api/circuits', {}],
  vlanId: ['/api/vlans', {}],
  portId: ['/api/device-ports', { mode: 'tagged' }],
  aId: ['/api/device-ports', {}],
  bId: ['/api/device-ports', {}],
};

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Collections with the example of a new record. */
function collections({ paths }) {
  return Object.entries(paths)
    .filter(([path, { post }]) => post?.responses['201'] && !path.includes('{') && `${path}/{id}` in paths)
    .map(([path, { post }]) => [path, post.requestBody.content['application/json'].example]);
}

/** @returns a summary @throws Error at the first request or response that the document does not allow */
export async function throughPrism(command, document, service, session) {
  const file = join(work, `prism-${document.openapi}.json`);
  writeFileSync(file, JSON.stringify(document));
  const args = ['proxy', file, service, '--errors', '--host', '127.0.0.1', '--port', String(await freePort())];
  const prism = await listening(command, args, /listening on (http:\S+)/);
  let count = 0;
  let asked = 0;
  const send = async (method, path, body, expected = 200) => {
    count++;
    const headers = { cookie: session, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const answer = await fetch(prism.url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status !== expected || answer.headers.has('sl-violations')) {
      const violations = answer.headers.get('sl-violations') ?? '';
      throw new Error(
        `${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${text.slice(0, 2000)} ${violations}`,
      );
    }
    return text === '' ? undefined : JSON.parse(text);
  };
  const examples = new Map(collections(document));
  // Both documents are tested on one service, in which some values must be unique.
  const [, minor] = document.openapi.split('.');
  const unique = () => ({
    email: `${document.openapi}@example.com`,
    orderNumber: document.openapi,
    circuitNumber: `${document.openapi}-${count}`,
    prefix: `10.${minor}.0.0/24`,
    key: `costCentre${minor}`,
  });
  /** A new record, after the records that it requires. */
  const make = async (path, more = {}) => {
    const example = { ...examples.get(path) };
    for (const name of Object.keys(example)) {
      if (name in unique()) example[name] = unique()[name];
      if (name in REFERRED) example[name] = (await make(...REFERRED[name])).id;
    }
    return (await send('POST', path, { ...example, ...more }, 201)).data;
  };
  try {
    for (const path of examples.keys()) {
      const data = await make(path);
      // The record as read, reduced to its writable properties, is sent back.
      const record = await send('GET', `${path}/${data.id}`);
      await send('PATCH', `${path}/${data.id}`, record.data);
      for (const query of [QUERIES[asked++ % QUERIES.length], QUERIES[asked++ % QUERIES.length]])
        await send('GET', `${path}?${query}`);
      await send('GET', `${path}/${data.id}/changes?createdAt__lt=2999-01-01&id__n=${data.id}`);
      await send('GET', `${path}/${data.id}?asOf=2999-01-01`);
      // It could fail because of the records of the other document.
      if (path === '/api/transitions') await send('DELETE', `${path}/${data.id}`, undefined, 204);
    }
    await send('POST', '/api/devices', { name: 'In no rack', rackFace: null, rackPosition: null }, 201);
    await send('POST', '/api/device-roles', { name: 'Of no tier', tier: null, redundancy: null }, 201);
    await send('GET', '/api/devices?rackFace__empty=true');
    // The service refuses it with a documented body. So does Prism, which has the same rules.
    await send('GET', '/api/sites?nonsense=1', undefined, 400);
    await send('POST', '/api/vlans', { name: 'Nowhere', vid: 5000 }, 422);
    // Of OpenAPI 3.0 it ignores a schema with a choice that may be null, such as that of sites with fields of their own.
    if (!document.openapi.startsWith('3.0')) await send('POST', '/api/sites', { name: 'Nowhere', lattitude: 1 }, 422);
    return `${count} requests and their responses accepted`;
  } finally {
    await prism.stop();
  }
}
