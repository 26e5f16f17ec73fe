import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { sql } from '../../src/database/sql.js';

const UNKNOWN_ID = '11111111-1111-4111-8111-111111111111';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor');
});
afterAll(() => service.stop());

/** Every error body has the decided shape and nothing else. */
function expectRefusal(answer: Answer, status: number, sentence: RegExp): void {
  expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(sentence)]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { error, details, ...rest } = answer.body as Record<string, unknown>;
  expect([typeof error, rest]).toEqual(['string', {}]);
  expect(details === undefined || Array.isArray(details)).toBe(true);
}

it('names the unknown path, or the unsupported method of a known path', async () => {
  expectRefusal(await editor.get('/api/nothing'), 404, /No such path: \/api\/nothing/);
  expectRefusal(await editor.get('/nothing'), 404, /No such path/);
  const put = await editor.request('PUT', '/api/runbooks', {});
  expectRefusal(put, 405, /accepts GET, HEAD, POST, not PUT/);
  expect(put.headers.get('allow')).toBe('GET, HEAD, POST');
  const post = await editor.post('/api/runbooks/11111111-1111-4111-8111-111111111111', {});
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, PATCH']);
  // The methods are those of the summary, not those of a record with this id.
  const summary = await editor.post('/api/devices/summary', {});
  expect([summary.status, summary.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('tells an unknown path below a resource from a faulty id', async () => {
  for (const [path, sentence] of [
    [
      '/api/assets/overview',
      "No such path: /api/assets/overview; 'overview' stands where the path has an id: id must be a uuid",
    ],
    [
      '/api/assets/labels.sgv?id=1',
      "No such path: /api/assets/labels.sgv; 'labels.sgv' stands where the path has an id: id must be a uuid",
    ],
    [
      '/api/assets/overview/changes',
      "No such path: /api/assets/overview/changes; 'overview' stands where the path has an id: id must be a uuid",
    ],
    ['/api/assets/1', 'id in the path must be a uuid'],
    [`/api/assets/${UNKNOWN_ID}0`, 'id in the path must be a uuid'],
    [`/api/devices/${UNKNOWN_ID}/ports/5`, 'portId in the path must be a uuid'],
  ] as const) {
    const { status, body } = await editor.get(path);
    const field = path.includes('/ports/') ? 'portId' : 'id';
    expect([status, body]).toEqual([
      400,
      { error: sentence, details: [{ field, message: 'in the path must be a uuid' }] },
    ]);
  }
  const unknown = await editor.get(`/api/assets/${UNKNOWN_ID}/overview`);
  expectRefusal(unknown, 404, /^{"error":"No such path: [^.]*"}$/);
});

it.each<[string, string | Uint8Array]>([
  ['no JSON', '{"name":'],
  ['an array', '[]'],
  ['a text', '"name"'],
  ['null', 'null'],
  ['__proto__', '{"name":"a","__proto__":{"id":1}}'],
  ['a property twice', '{"name":"a","name":"b"}'],
  ['a constructor', '{"name":"a","category":{"constructor":{}}}'],
  ['a constructor in a list', '{"name":[{"constructor":{"prototype":{}}}]}'],
  ['deep nesting', `{"name":${'['.repeat(40)}${']'.repeat(40)}}`],
  ['very deep nesting', '['.repeat(200_000)],
  ['a lone surrogate', String.raw`{"name":"\ud800"}`],
  ['a NUL character', String.raw`{"name":"a\u0000"}`],
  ['invalid UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')])],
  ['nothing', ''],
])('refuses a body that is or contains %s', async (_what, body) => {
  const response = await fetch(`${service.url}/api/runbooks`, {
    method: 'POST',
    headers: { cookie: `session=${editor.cookie}`, 'content-type': 'application/json' },
    body: body as string,
  });
  expect(response.status).toBe(400);
  expect(Object.keys((await response.json()) as object)).toEqual(expect.arrayContaining(['error']));
});

it('names the first 1,000 of many unknown properties', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`nam${i}`, 0]));
  const { status, body } = await editor.post('/api/runbooks', { nane: 0, ...unknown });
  expect([status, body.details.length]).toEqual([400, 1000]);
  // Suggestions for all of them would take longer than the rest of the request.
  expect(body.details[0].message).toBe("is not a known property. Did you mean 'name'?");
  expect(body.details[999].message).toBe('is not a known property');
});

it('accepts JSON only, and not too much of it', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
    expectRefusal(await editor.post('/api/runbooks', 'name=a', { 'content-type': type }), 415, /application\/json/);
  }
  const large = { name: 'a', content: 'x'.repeat(1024 * 1024) };
  expectRefusal(await editor.post('/api/runbooks', large), 413, /1 MiB/);
});

describe('the encoding of a body', () => {
  const post = (headers: Record<string, string>, body: string | Uint8Array = '{"name":"a"}') =>
    fetch(`${service.url}/api/runbooks`, {
      method: 'POST',
      headers: { cookie: `session=${editor.cookie}`, 'content-type': 'application/json', ...headers },
      body: body as string,
    });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'GZIP', 'identity, gzip', 'unheard-of'])(
    'refuses Content-Encoding: %s, and names the accepted one',
    async (encoding) => {
      for (const body of ['{"name":"a"}', gzipSync('{"name":"a"}')]) {
        const response = await post({ 'content-encoding': encoding }, body);
        expect([response.status, await response.json()]).toEqual([
          415,
          { error: 'The body must be sent without a Content-Encoding', code: 'unsupported_media_type' },
        ]);
        expect(response.headers.get('accept-encoding')).toBe('identity');
      }
    },
  );

  it.each(['iso-8859-1', 'utf-16', 'us-ascii', '"latin1"', 'utf-8; charset=latin1', ''])(
    'refuses charset=%s',
    async (charset) => {
      const response = await post({ 'content-type': `application/json; charset=${charset}` });
      expect([response.status, await response.json()]).toEqual([
        415,
        { error: 'The body must be sent as application/json in UTF-8', code: 'unsupported_media_type' },
      ]);
    },
  );

  it.each([
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/json;charset="UTF-8"' },
    { 'content-type': 'APPLICATION/JSON; Charset=UTF8' },
    { 'content-type': 'application/json; profile="charset=latin1"' },
    { 'content-encoding': 'identity' },
    { 'content-encoding': 'Identity' },
  ] as Record<string, string>[])('takes %j', async (headers) => expect((await post(headers)).status).toBe(201));
});

it('uses the right article for a record', async () => {
  const admin = await service.as('admin');
  for (const [path, body, words] of [
    ['/api/ip-addresses', { address: '10.0.0.1/24' }, 'an IP address'],
    ['/api/incidents', { name: 'a' }, 'an incident'],
    ['/api/slas', { name: 'a' }, 'an SLA'],
    ['/api/vrfs', { name: 'a' }, 'a VRF'],
  ] as const) {
    const { id } = await admin.make(path, body);
    const refused = await admin.post(`${path}/${id}/restore`);
    expectRefusal(refused, 409, new RegExp(`id belongs to ${words} that is not deleted`));
  }
});

it("names the accepted windows of an incident's context", async () => {
  const { id } = await editor.make('/api/incidents', { name: 'a' });
  for (const window of ['', '24', '0h', '32d', 'h24', 'a day']) {
    expectRefusal(
      await editor.get(`/api/incidents/${id}/context?window=${window}`),
      400,
      /window must be a number of minutes, hours or days, for example 90m, 24h or 7d, and at most 31d/,
    );
  }
});

it('accepts texts up to the decided lengths, counted in characters', async () => {
  const longest = await editor.make('/api/runbooks', { name: '😀'.repeat(255), content: 'é'.repeat(65_536) });
  expect([[...longest.name].length, longest.content.length]).toEqual([255, 65_536]);
  expectRefusal(await editor.post('/api/runbooks', { name: 'x'.repeat(256) }), 400, /name must be at most 255/);
  expectRefusal(
    await editor.post('/api/runbooks', { name: 'a', content: 'x'.repeat(65_537) }),
    400,
    /content must be at most 65536/,
  );
});

it.each(['%ff', '%', '%zz', '%C0%80', '%ED%A0%80'])('refuses a query string with invalid UTF-8: %s', async (value) => {
  for (const name of ['search', 'name', 'name__ic']) {
    expectRefusal(await editor.get(`/api/runbooks?${name}=a${value}`), 400, /query string must be UTF-8/);
  }
});

it('refuses a query string on a route that reads none, and characters that the database cannot store', async () => {
  const { id } = await editor.make('/api/runbooks', { name: 'a' });
  expectRefusal(await editor.get(`/api/runbooks/${id}?fields=owner`), 400, /fields/);
  expectRefusal(await editor.post('/api/runbooks?dryRun=1', { name: 'a' }), 400, /dryRun/);
  expectRefusal(await editor.get('/api/runbooks?search=%00'), 400, /search must not contain NUL/);
  expectRefusal(await editor.get('/api/runbooks?name=a%00b'), 400, /name must be text/);
  expectRefusal(await editor.get('/api/runbooks/%zz'), 400, /malformed/);
});

it('responds to HEAD like GET without a body, and DELETE with a media type and no body', async () => {
  const made = await editor.post('/api/runbooks', { name: 'a' });
  const path = made.headers.get('location')!;
  const head = await editor.request('HEAD', path);
  expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', made.headers.get('etag')]);
  expect((await editor.delete(path, { 'content-type': 'application/json' })).status).toBe(204);
});

it('gives every response a request id, and forbids caching under /api', async () => {
  const [one, two] = [await editor.get('/api/runbooks'), await editor.get('/api/nothing')];
  expect(one.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(two.headers.get('x-request-id')).not.toBe(one.headers.get('x-request-id'));
  for (const answer of [one, two]) expect(answer.headers.get('cache-control')).toBe('no-store');
});

it('shares one query among concurrent requests for its readiness', async () => {
  const { db } = service.database;
  const { query } = db;
  const spy = jest.spyOn(db, 'query').mockImplementation(async (statement) => {
    await setTimeout(500);
    return query.call(db, statement);
  });
  try {
    const responses = await Promise.all(Array.from({ length: 40 }, () => service.anonymous.get('/health/ready')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    // The service itself may send a few statements.
    expect(spy.mock.calls.length).toBeLessThan(10);
  } finally {
    spy.mockRestore();
  }
});

it('normalises times and dates, and refuses those that do not exist', async () => {
  for (const [sent, stored] of [
    ['2026-03-01T10:30:00+02:00', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01T08:30:00', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2024-02-29T23:59:59.987Z', '2024-02-29T23:59:59.987Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ]) {
    expect((await editor.make('/api/incidents', { name: 'a', detectedAt: sent })).detectedAt).toBe(stored);
  }
  for (const bad of [
    '2024-02-30',
    '2026-13-01',
    'now',
    'infinity',
    '2026-W10-1',
    '10000-01-01',
    '',
    5,
    '2026-03-01T25:00:00Z',
  ]) {
    expectRefusal(await editor.post('/api/incidents', { name: 'a', detectedAt: bad }), 400, /detectedAt/);
    expectRefusal(await editor.post('/api/contracts', { name: 'a', startDate: bad }), 400, /startDate/);
  }
  const contract = await editor.make('/api/contracts', { name: 'a', startDate: '2026-03-01T23:30:00-05:00' });
  expect(contract.startDate).toBe('2026-03-01');
});

it('refuses a line feed where a text is one line', async () => {
  const vendor = await editor.make('/api/vendors', { name: 'one\rline', description: 'several\nlines' });
  for (const [path, body] of [
    ['/api/vendors', { name: 'a\nb' }],
    ['/api/sites', { name: 'a', facility: 'a\r\nb' }],
    ['/api/devices', { name: 'a', status: 'active\n' }],
    ['/api/ip-addresses', { address: '10.0.0.1/24', dnsName: 'a\n.example.net' }],
  ] as const) {
    const field = Object.keys(body).at(-1)!;
    const { status, body: refusal } = await editor.post(path, body);
    expect([status, refusal.details]).toEqual([400, [{ field, message: 'must be one line' }]]);
  }
  const { status, body } = await editor.patch(`/api/vendors/${vendor.id}`, { name: '\n' + vendor.name });
  expect([status, body.details]).toEqual([400, [{ field: 'name', message: 'must be one line' }]]);
});

it('keeps decimals as they were written, and prices with two digits', async () => {
  for (const cost of ['1200', '1200.50', '0', '0.10', '-5.5', '12345678901234567890.1234567890']) {
    expect((await editor.make('/api/contracts', { name: 'a', cost })).cost).toBe(cost);
  }
  for (const cost of ['NaN', '1e5', '01', '-0', '', '1,5', 'Infinity', 1200]) {
    expectRefusal(await editor.post('/api/contracts', { name: 'a', cost }), 400, /cost/);
  }
  for (const [sent, stored] of [
    ['5', '5.00'],
    ['5.5', '5.50'],
    ['99999999.99', '99999999.99'],
  ]) {
    expect((await editor.make('/api/assets', { name: 'a', purchasePrice: sent })).purchasePrice).toBe(stored);
  }
  for (const price of ['1.999', '100000000', 5]) {
    expectRefusal(await editor.post('/api/assets', { name: 'a', purchasePrice: price }), 400, /purchasePrice/);
  }
});

it('compares an end with its start on the merged record', async () => {
  const { id } = await editor.make('/api/incidents', { name: 'a', detectedAt: '2026-03-02' });
  expectRefusal(
    await editor.patch(`/api/incidents/${id}`, { resolvedAt: '2026-03-01' }),
    400,
    /resolvedAt must not be before detectedAt/,
  );
  expectRefusal(
    await editor.post('/api/incidents', { detectedAt: '2026-03-02', resolvedAt: '2026-03-01' }),
    400,
    /name is required; resolvedAt must not be before detectedAt/,
  );
  const both = await editor.patch(`/api/incidents/${id}`, { detectedAt: '2026-02-01', resolvedAt: '2026-03-01' });
  expect(both.status).toBe(200);
});

describe('below HTTP', () => {
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (chunk) => (answer += String(chunk)));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  it('responds to invalid HTTP in the same shape', async () => {
    const answer = await raw('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"error":"The request is not valid HTTP","code":"validation"}');
  });

  it.each([
    ['no Host', '', 400, 'The request must have one Host header'],
    ['two Hosts', 'Host: a\r\nHost: b\r\n', 400, 'The request must have one Host header'],
    ['an unknown expectation', 'Host: a\r\nExpect: the-impossible\r\n', 404, 'No such path: /nothing'],
  ])('responds to %s in the same shape', async (_, headers, status, sentence) => {
    const answer = await raw(`GET /nothing HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(JSON.stringify({ error: sentence, code: status === 404 ? 'not_found' : 'validation' }));
  });

  it('breaks a response that has begun instead of writing into it', async () => {
    // The response is larger than the buffers of a connection.
    await service.database.db.query(
      sql`INSERT INTO runbooks (name, content) SELECT 'Long', repeat(md5(i::text), 1500) FROM generate_series(1, 300) i`,
    );
    const text = await new Promise<string>((resolve, reject) => {
      const request = `GET /api/runbooks?pageSize=300&name=Long HTTP/1.1\r\nHost: a\r\nCookie: session=${editor.cookie}\r\n\r\n`;
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(request));
      let received = '';
      socket.once('data', () => {
        socket.pause();
        // Reads on after the service has seen the invalid request.
        service.app.getHttpServer().once('clientError', () => socket.resume());
        socket.write('NONSENSE\r\n\r\n');
      });
      socket.on('data', (chunk) => (received += String(chunk)));
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).not.toContain('The request is not valid HTTP');
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
  });

  it('refuses HTTP/0.9', async () => {
    expect(await raw('GET /health/live\r\n\r\n')).toContain(
      '{"error":"The request is not valid HTTP","code":"validation"}',
    );
  });

  it('does not log a disconnected client as an error', async () => {
    const lines: string[] = [];
    const log = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) });
    const logging = await service.beside({}, [], pino({ level: 'info' }, log));
    const { cookie } = await logging.as('editor');
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(logging.url).port), '127.0.0.1', () =>
        socket.write(
          `POST /api/runbooks HTTP/1.1\r\nHost: a\r\nCookie: session=${cookie}\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n`,
        ),
      );
      // The service has confirmed that it reads the body.
      socket.once('data', () => socket.resetAndDestroy());
      socket.once('close', () => resolve());
    });
    // Waits for log lines that must not appear.
    await setTimeout(500);
    await logging.stop();
    expect(lines.filter((line) => /"level":[4-6]0/.test(line))).toEqual([]);
  });

  it('responds to headers that are too large in the same shape', async () => {
    const answer = await raw(`GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('{"error":"The request headers are too large","code":"headers_too_large"}');
  });

  it('refuses an unauthenticated body before it is sent', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const call = httpRequest(`${service.url}/api/runbooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': '500000' },
      });
      call.on('response', (response) => {
        resolve(response.statusCode!);
        call.destroy();
      });
      call.on('error', reject);
      // Headers only: the response must not wait for the body.
      call.flushHeaders();
    });
    expect(status).toBe(401);
  });
});

describe('a PATCH of application/merge-patch+json', () => {
  const MERGE = 'application/merge-patch+json';
  const BOTH = `application/json, ${MERGE}`;
  let path: string;
  beforeAll(async () => {
    path = `/api/sites/${(await editor.make('/api/sites', { name: 'AMS1', physicalAddress: 'Science Park' })).id}`;
  });

  it.each([MERGE, `${MERGE}; charset=utf-8`, 'Application/Merge-Patch+JSON'])('is taken as %s', async (type) => {
    await editor.patch(path, { physicalAddress: 'Science Park' });
    const { status, body } = await editor.patch(path, { physicalAddress: null }, { 'content-type': type });
    expect([status, body.data.physicalAddress, body.data.name]).toEqual([200, null, 'AMS1']);
  });

  it('the example of docs/clients.md works', async () => {
    const page = readFileSync(join(__dirname, '../../docs/clients.md'), 'utf8').split('## Partial changes')[1]!;
    const type = /Content-Type: ([^']+)'/.exec(page)![1]!;
    const { status, body } = await editor.patch(path, /-d '([^']+)'/.exec(page)![1], { 'content-type': type });
    expect([status, body.data.physicalAddress]).toEqual([200, null]);
  });

  it.each<[string, string, () => string, unknown, Record<string, string>, number, string | null]>([
    ['another type', 'PATCH', () => path, 'a: 1', { 'content-type': 'text/plain' }, 415, BOTH],
    ['another charset', 'PATCH', () => path, '{}', { 'content-type': `${MERGE}; charset=latin1` }, 415, BOTH],
    ['an encoding', 'PATCH', () => path, '{}', { 'content-type': MERGE, 'content-encoding': 'gzip' }, 415, BOTH],
    ['a POST', 'POST', () => '/api/sites', '{"name":"x"}', { 'content-type': MERGE }, 415, null],
    ['an import', 'POST', () => '/api/sites/import', '{"name":"x"}', { 'content-type': MERGE }, 415, null],
    ['OPTIONS of a record', 'OPTIONS', () => path, undefined, {}, 405, BOTH],
    ['OPTIONS of a collection', 'OPTIONS', () => '/api/sites', undefined, {}, 405, null],
    ['PUT of a record', 'PUT', () => path, {}, {}, 405, null],
  ])('Accept-Patch of %s', async (_, method, at, body, headers, status, accepted) => {
    const answer = await editor.request(method, at(), body, headers);
    expect([answer.status, answer.headers.get('accept-patch')]).toEqual([status, accepted]);
  });

  it('malformed bodies are refused as ever', async () => {
    const { status, body } = await editor.patch(path, '{"name":"a","name":"b"}', { 'content-type': MERGE });
    expect([status, body.error]).toEqual([400, expect.stringContaining('name')]);
  });
});
