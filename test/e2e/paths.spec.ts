import { connect } from 'node:net';
import { startService, type Api, type TestService } from '../support/app.js';

// A path has many spellings. Responses and stored data use the spelling of the route.

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor');
});
afterAll(() => service.stop());

interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
  body: any;
}

/** Sends a request with its target unchanged, which a client would normalise. */
function send(method: string, target: string, body?: unknown, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(service.url);
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = Object.entries({
    host: 'a.example',
    cookie: `session=${editor.cookie}`,
    ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise<RawAnswer>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${text}`),
    );
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', json = ''] = received.split('\r\n\r\n');
      const [line = '', ...rest] = head.split('\r\n');
      const answered = rest.map(
        (each) => [each.split(':', 1)[0]!.toLowerCase(), each.replace(/^[^:]*: ?/, '')] as const,
      );
      resolve({
        status: Number(line.split(' ')[1]),
        headers: new Map(answered),
        body: json === '' ? undefined : JSON.parse(json),
      });
    });
  });
}

const FAULTY = { nonsense: true };

it.each([
  ['PATCH', '/api/vendors/x', FAULTY, 'id'],
  ['PATCH', '/api/devices/x/ports/y', FAULTY, 'portId'],
  ['POST', '/api/assets/x/assign', FAULTY, 'id'],
  ['POST', '/api/assets/x/return', FAULTY, 'id'],
  // The service checks the body of a part before its owner.
  ['POST', '/api/devices/x/ports', FAULTY, 'nonsense'],
])('%s %s with a malformed id and a faulty body names one of them', async (method, path, body, field) => {
  const { status, body: answer } = await send(method, path, body);
  expect([status, answer.details[0].field]).toEqual([400, field]);
});

/** Other spellings of a path with an id. All of them select the same route. */
const spellings = (path: string): [string, string][] => [
  ['an upper-case id', path.replaceAll(/[\da-f-]{36}/g, (id) => id.toUpperCase())],
  ['a trailing slash', `${path}/`],
  [
    'percent-encoding',
    path.replace('/api/', '/%61p%69/').replaceAll(/[\da-f-]{36}/g, (id) => `%3${id[0]}${id.slice(1)}`),
  ],
  ['the form for a proxy', `http://elsewhere.example${path}`],
  ['a question mark', `${path}?`],
];

/** A device whose id starts with a digit, which percent-encoding writes as `%3x`. */
async function makeDevice(): Promise<string> {
  for (;;) {
    const { id } = await editor.make('/api/devices', { name: 'ams-sw-01' });
    if (/^\d/.test(id as string)) return id as string;
  }
}

describe('Location', () => {
  it('is the path of the record, in whatever spelling its list was requested', async () => {
    const path = `/api/devices/${await makeDevice()}/ports`;
    for (const [index, [how, target]] of spellings(path).entries()) {
      const { status, headers, body } = await send('POST', target, { name: `port ${index}` });
      expect([how, status, headers.get('location')]).toEqual([how, 201, `${path}/${body.data.id}`]);
    }
  });

  it('names no other host', async () => {
    const { headers, body } = await send('POST', 'http://elsewhere.example/api/runbooks', { name: 'Fail over' });
    expect(headers.get('location')).toBe(`/api/runbooks/${body.data.id}`);
  });
});

describe('Idempotency-Key', () => {
  it('applies to an operation in whatever spelling of its path', async () => {
    const path = `/api/devices/${await makeDevice()}/ports`;
    const key = { 'idempotency-key': 'once' };
    const first = await send('POST', path, { name: 'Vlan10' }, key);
    expect(first.status).toBe(201);
    for (const [how, target] of spellings(path)) {
      const again = await send('POST', target, { name: 'Vlan10' }, key);
      expect([how, again.status, again.body]).toEqual([how, 201, first.body]);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
    expect((await editor.get(path)).body.total).toBe(1);
  });

  it('applies to each record separately', async () => {
    const key = { 'idempotency-key': 'each' };
    const answers = [];
    for (const id of [await makeDevice(), await makeDevice()]) {
      answers.push(await send('POST', `/api/devices/${id}/ports`, { name: 'Vlan10' }, key));
    }
    expect(answers[0]!.body.data.id).not.toBe(answers[1]!.body.data.id);
  });
});

it('lists the methods of a path in whatever spelling', async () => {
  for (const target of [
    '/api/runbooks',
    '/%61pi/runbooks',
    '/api/runbooks/',
    'http://elsewhere.example/api/runbooks',
  ]) {
    const { status, headers } = await send('PUT', target, {});
    expect([target, status, headers.get('allow')]).toEqual([target, 405, 'GET, HEAD, POST']);
  }
});

it('knows no path, or no method of it, whatever the body is', async () => {
  for (const [method, path, type, status] of [
    ['POST', '/api/site/import', 'text/csv', 404],
    ['POST', '/api/nope', 'application/json', 404],
    ['PUT', '/api/sites', 'text/plain', 405],
    ['PUT', '/api/sites', 'application/json', 405],
    ['POST', '/api/sites', 'text/plain', 415],
  ] as const) {
    const answer = await editor.request(method, path, '{bad', { 'content-type': type });
    expect([method, path, answer.status]).toEqual([method, path, status]);
  }
});

it('does not take an encoded slash for a separator', async () => {
  for (const target of [
    '/api/runbooks%2F',
    '/api%2frunbooks',
    '/api/runbooks%2F00000000-0000-4000-8000-000000000000',
  ]) {
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await send(method, target);
      expect([status, body.error]).toEqual([404, expect.stringContaining(`No such path: ${target}`)]);
    }
  }
});

it('knows the end of a path with a parameter', async () => {
  const { status, body } = await send('GET', '/calendar/nothing');
  expect([status, body]).toEqual([404, { error: 'No such path: /calendar/nothing', code: 'not_found' }]);
  const written = await send('POST', '/calendar/nothing.ics');
  expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('names an unknown path without the host of the request line', async () => {
  const { status, body } = await send('GET', 'http://elsewhere.example/api/nothing');
  expect([status, body]).toEqual([404, { error: 'No such path: /api/nothing', code: 'not_found' }]);
});
