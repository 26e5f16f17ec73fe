import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AREAS, ROLES, type Area } from '../../src/access/access.js';
import { asked } from '../support/access-rules.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { inFull, ofEachKind } from '../support/size.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  // Without a target, service discovery returns 503.
  const { id: deviceId } = await admin.make('/api/devices', { name: 'monitored' });
  await admin.make('/api/ip-addresses', { address: '192.0.2.1/24', deviceId });
});
afterAll(() => service.stop());

const NOBODY = '00000000-0000-4000-8000-000000000000';

interface Operation {
  method: string;
  path: string;
}

const operations: Operation[] = Object.entries(
  (JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as { paths: Record<string, object> }).paths,
)
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })))
  // Operations on the caller's own session and profile need no role.
  .filter(({ path }) => path.startsWith('/api/') && !path.startsWith('/api/auth'));

describe('the matrix of role, area and route', () => {
  const everybody = ROLES.flatMap((role) =>
    [[], ...AREAS.map((area) => [area]), [...AREAS]].map((areas: Area[]) => ({ role, areas })),
  );
  // token-access.spec always checks the minimal rights of each operation, with tokens.
  const callers = inFull
    ? everybody
    : everybody.filter(({ role, areas }) => role === 'editor' && areas.join() === 'network');
  const some = inFull ? operations : ofEachKind(operations);

  it.each(callers.map((caller) => [`${caller.role} of ${caller.areas.join(', ') || 'no area'}`, caller] as const))(
    '%s',
    async (_, { role, areas }) => {
      const api = await service.as(role, areas);
      const wrong: string[] = [];
      for (const operation of some) {
        const { method, path } = operation;
        const rule = asked(operation);
        const allowed = ROLES.indexOf(role) >= ROLES.indexOf(rule.role) && (!rule.area || areas.includes(rule.area));
        const { status } = await api.request(
          method,
          path.replaceAll(/\{\w+\}/g, NOBODY),
          method === 'GET' || method === 'DELETE' ? undefined : {},
        );
        if ((status === 403) === allowed || status === 401 || status >= 500) wrong.push(`${method} ${path}: ${status}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  // The service refuses the request before it reads the body. routes.spec checks each route.
  it('closes routes to callers without a session', async () => {
    for (const { method, path } of some) {
      const { status } = await service.anonymous.request(
        method,
        path.replaceAll(/\{\w+\}/g, 'x'),
        method === 'GET' ? undefined : 'no json',
      );
      expect([method, path, status]).toEqual([method, path, 401]);
    }
  });
});

describe('a write from another site', () => {
  const writes = ofEachKind(operations.filter(({ method }) => method !== 'GET'));
  const headers: [Record<string, string>, boolean][] = [
    [{ origin: 'https://evil.example' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ origin: 'null' }, false],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, false],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{}, true],
  ];
  it.each(headers)('%j', async (sent, allowed) => {
    for (const { method, path } of writes) {
      const { status } = await admin.request(
        method,
        path.replaceAll(/\{\w+\}/g, NOBODY),
        method === 'DELETE' ? undefined : {},
        sent,
      );
      expect([method, path, status === 403]).toEqual([method, path, !allowed]);
    }
  });
});

describe('headers', () => {
  it.each(['/api/sites', '/api/nothing', '/health/live', '/docs', '/openapi.json'])(
    'of %s are those that protect browsers',
    async (path) => {
      const { headers } = await admin.get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none';.*script-src 'self';/);
      expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/);
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      if (path.startsWith('/api')) expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  it('contain the request id if the path cannot be decoded', async () => {
    const answer = await service.anonymous.get('/api/%zz');
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBeDefined();
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('cannot be split by a request', async () => {
    const { hostname, port } = new URL(service.url);
    const text = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(Number(port), hostname, () =>
        socket.end('GET /api/x%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
      );
      socket.on('data', (data) => (received += data)).on('close', () => resolve(received));
    });
    expect(text.split('\r\n\r\n')[0]).not.toMatch(/^set-cookie: a=b/im);
  });
});

describe('a limit of requests', () => {
  it('applies to each session, and says when to try again', async () => {
    const limited = await service.beside({ RATE_LIMIT_PER_MINUTE: '5' });
    try {
      const [one, other] = [await limited.as('viewer'), await limited.as('viewer')];
      for (let i = 0; i < 3; i++) expect((await one.get('/api/sites')).status).toBe(200);
      // Malformed bodies count too.
      for (let i = 0; i < 2; i++) expect((await one.post('/api/auth/logout', '{')).status).toBe(400);
      const refused = await one.get('/api/sites');
      expect([refused.status, refused.body.error]).toEqual([
        429,
        expect.stringContaining('The limit of 5 requests per minute'),
      ]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('cache-control')).toBe('no-store');
      expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
      expect((await other.get('/api/sites')).status).toBe(200);
      expect((await limited.anonymous.get('/health/live')).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  it('applies to an IPv6 network, because a client has all of its addresses', async () => {
    const limited = await service.beside({ RATE_LIMIT_PER_MINUTE: '3', TRUST_PROXY: 'true' });
    try {
      const from = async (address: string): Promise<number> =>
        (await limited.anonymous.get('/openapi.json', { 'x-forwarded-for': address })).status;
      const statuses: number[] = [];
      for (const host of ['1', '2', 'a:b:c:d', '4'])
        statuses.push(await from(`2001:db8:1:2:${host.includes(':') ? '' : ':'}${host}`));
      expect(statuses).toEqual([200, 200, 200, 429]);
      expect([await from('2001:db8:1:3::1'), await from('192.0.2.1')]).toEqual([200, 200]);
    } finally {
      await limited.stop();
    }
  });

  it('applies to each address where there is no credential, as for calendars', async () => {
    const limited = await service.beside({ RATE_LIMIT_PER_MINUTE: '5' });
    try {
      const owner = await limited.as('viewer');
      const feed = await owner.make('/api/calendar-feeds', { name: 'Mine', kind: 'maintenance' });
      const { pathname } = new URL(feed.url, limited.url);
      const statuses: number[] = [];
      for (const path of [pathname, `/calendar/${'a'.repeat(43)}.ics`, pathname, '/openapi.json', pathname, pathname]) {
        statuses.push((await limited.anonymous.get(path)).status);
      }
      expect(statuses).toEqual([200, 404, 200, 200, 200, 429]);
      expect((await owner.get('/api/sites')).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});
