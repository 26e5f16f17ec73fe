import { randomUUID } from 'node:crypto';
import { Controller, Get, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AppModule, type AppDependencies } from '../../src/app/app.module.js';
import { Access, Public } from '../../src/access/access.js';
import { AccessGuard } from '../../src/access/access.guard.js';
import { startService, type Api, type HeaderMap, type TestService } from '../support/app.js';

/** Routes without an access rule. */
@ApiExcludeController()
@Controller('api/forgotten')
class ForgottenController {
  @Get()
  read(): string {
    return 'secret';
  }
  @Post()
  write(): string {
    return 'secret';
  }
  @Get('open')
  @Public()
  open(): string {
    return 'open';
  }
}

/** Routes outside of `/api`, with the rule of their controller. */
@ApiExcludeController()
@Controller('reports')
@Access({ role: 'admin' })
class ReportsController {
  @Get()
  read(): string {
    return 'secret';
  }
  @Get('mine')
  @Access({ role: 'viewer' })
  mine(): string {
    return 'mine';
  }
}

/** A controller without an access rule. */
@ApiExcludeController()
@Controller('leaflets')
class LeafletsController {
  @Get()
  read(): string {
    return 'secret';
  }
}

let service: TestService;
let admin: Api;

beforeAll(async () => {
  const original = AppModule.with.bind(AppModule);
  const spy = jest.spyOn(AppModule, 'with').mockImplementation((parts: AppDependencies) => {
    const module = original(parts);
    return {
      ...module,
      controllers: [...(module.controllers ?? []), ForgottenController, ReportsController, LeafletsController],
    };
  });
  service = await startService();
  spy.mockRestore();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

describe('a route outside of /api', () => {
  it.each(['/reports', '/reports/', '/%72eports', '/reports?x=1'])('is as closed as one within: %s', async (path) => {
    const { status, headers } = await service.anonymous.get(path);
    expect([status, headers.get('cache-control')]).toEqual([401, 'no-store']);
  });
  it('needs the role of its controller, or its own', async () => {
    const viewer = await service.as('viewer');
    const statuses = async (path: string): Promise<number[]> => [
      (await service.anonymous.get(path)).status,
      (await viewer.get(path)).status,
      (await admin.get(path)).status,
    ];
    expect(await statuses('/reports')).toEqual([401, 403, 200]);
    expect(await statuses('/reports/mine')).toEqual([401, 200, 200]);
    expect(await statuses('/leaflets')).toEqual([401, 403, 403]);
  });
  it('refuses query parameters that it does not read', async () => {
    const { status, body } = await admin.get('/reports?year=2025');
    expect([status, body.error]).toEqual([400, 'year is not a parameter of this path, which accepts none']);
  });
});

describe('a route without an access rule', () => {
  it.each(['GET', 'HEAD', 'POST'])('is closed to everybody: %s', async (method) => {
    expect((await admin.request(method, '/api/forgotten')).status).toBe(403);
    expect((await service.anonymous.request(method, '/api/forgotten')).status).toBe(401);
  });
  it('differs from a route that is declared public', async () => {
    const answer = await service.anonymous.get('/api/forgotten/open');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: 'open' });
  });
  it('is refused by Nest too, if a request bypasses the check before the body', async () => {
    const check = jest.spyOn(AccessGuard.prototype, 'check').mockResolvedValue();
    try {
      expect((await admin.get('/api/forgotten/open')).status).toBe(403);
    } finally {
      check.mockRestore();
    }
  });
});

describe('without a session', () => {
  const json = { 'content-type': 'application/json' };
  it.each<[string, string, string, (string | undefined)?, HeaderMap?]>([
    ['a list', 'GET', '/api/runbooks'],
    ['HEAD', 'HEAD', '/api/runbooks'],
    ['an unknown record', 'GET', `/api/runbooks/${randomUUID()}`],
    ['an invalid id', 'GET', '/api/runbooks/x'],
    ['an unknown filter', 'GET', '/api/runbooks?colour=red'],
    ['an unknown path', 'GET', '/api/nothing'],
    ['the root of all paths', 'GET', '/api'],
    ['an unsupported method', 'PUT', '/api/runbooks', '{}'],
    ['OPTIONS', 'OPTIONS', '/api/runbooks'],
    ['a body with invalid JSON', 'POST', '/api/runbooks', '{'],
    ['a body that is too large', 'POST', '/api/runbooks', `"${'x'.repeat(1_100_000)}"`],
    ['a body of another media type', 'POST', '/api/runbooks', 'x', { 'content-type': 'text/plain' }],
    ['a foreign origin', 'POST', '/api/runbooks', '{}', { origin: 'https://evil.example' }],
    ['a DELETE', 'DELETE', `/api/runbooks/${randomUUID()}`, undefined, json],
    ['a profile', 'GET', '/api/profiles'],
    ['logging out', 'POST', '/api/auth/logout'],
    ['a trailing slash', 'GET', '/api/runbooks/'],
    ['an encoded letter', 'GET', '/%61pi/runbooks'],
  ])('%s is unauthenticated and nothing else', async (_, ...request) => {
    const answer = await service.anonymous.request(...request);
    expect(answer.status).toBe(401);
    if (request[0] !== 'HEAD') expect(Object.keys(answer.body)).toEqual(['error']);
  });

  it.each(['/health/live', '/health/ready', '/openapi.json', '/docs'])('%s is open', async (path) => {
    const answer = await service.anonymous.get(path);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toBe('');
  });

  it('/health and the document need no session', async () => {
    expect((await service.anonymous.get('/health/live')).body).toEqual({ data: { status: 'ok' } });
    expect((await service.anonymous.get('/health/ready')).body).toEqual({ data: { status: 'ok' } });
    const document = await service.anonymous.get('/openapi.json');
    expect(document.body.openapi).toMatch(/^3\./);
    expect(document.body.paths).toHaveProperty(['/api/runbooks']);
  });
});

describe('roles', () => {
  it.each([
    ['viewer', [200, 403, 403, 403]],
    ['editor', [200, 201, 200, 204]],
    ['manager', [200, 201, 200, 204]],
    ['admin', [200, 201, 200, 204]],
  ] as const)('%s', async (role, expected) => {
    const api = await service.as(role);
    for (const resource of ['runbooks', 'racks', 'vendors', 'tenant-groups']) {
      const { id } = await admin.make(`/api/${resource}`, { name: 'x' });
      const statuses = [
        (await api.get(`/api/${resource}/${id}`)).status,
        (await api.post(`/api/${resource}`, { name: 'y' })).status,
        (await api.patch(`/api/${resource}/${id}`, { name: 'z' })).status,
        (await api.delete(`/api/${resource}/${id}`)).status,
      ];
      expect(statuses).toEqual(expected);
    }
  });
});

describe('areas', () => {
  const families = {
    operations: [
      ...['on-call-schedules', 'runbooks', 'known-issues', 'maintenance-windows', 'change-requests', 'incidents'],
    ],
    network: [
      ...['ip-addresses', 'racks', 'sites', 'locations', 'devices', 'device-types', 'device-roles', 'platforms'],
      ...['vrfs', 'clusters', 'cluster-types', 'virtual-machines'],
    ],
    procurement: [
      ...['assets', 'purchase-orders', 'software-licences', 'renewals', 'slas', 'vendors', 'manufacturers'],
      ...['asset-categories', 'contracts'],
    ],
    people: ['people', 'tenant-groups'],
  } as const;
  const areas = Object.keys(families) as (keyof typeof families)[];

  it.each(areas)('%s covers its own resources and no others', async (area) => {
    const inside = await service.as('editor', [area]);
    const outside = await service.as(
      'editor',
      areas.filter((other) => other !== area),
    );
    for (const resource of families[area]) {
      // The body is invalid. Only a caller with permission to write gets this fault.
      expect([resource, (await inside.post(`/api/${resource}`, {})).status]).toEqual([resource, 400]);
      expect([resource, (await outside.post(`/api/${resource}`, {})).status]).toEqual([resource, 403]);
      expect([resource, (await inside.get(`/api/${resource}`)).status]).toEqual([resource, 200]);
      const read = area === 'operations' ? 403 : 200;
      expect([resource, (await outside.get(`/api/${resource}`)).status]).toEqual([resource, read]);
      const path = `/api/${resource}/${randomUUID()}`;
      expect([resource, (await outside.patch(path, {})).status]).toEqual([resource, 403]);
      expect([resource, (await outside.delete(path)).status]).toEqual([resource, 403]);
      expect([resource, (await inside.delete(path)).status]).toEqual([resource, 404]);
    }
  });

  it('apply to an administrator too', async () => {
    const api = await service.as('admin', []);
    expect((await api.get('/api/runbooks')).status).toBe(403);
    expect((await api.post('/api/vendors', { name: 'x' })).status).toBe(403);
  });
});

describe('the order of checks', () => {
  it('is access, then the shape of the request, then existence', async () => {
    const viewer = await service.as('viewer');
    for (const body of ['{', '{"nmae":1}', `"${'x'.repeat(1_100_000)}"`]) {
      expect((await viewer.post('/api/runbooks', body)).status).toBe(403);
      expect((await viewer.patch('/api/runbooks/x', body)).status).toBe(403);
    }
    const outside = await service.as('viewer', ['network']);
    expect((await outside.get('/api/runbooks/x')).status).toBe(403);
    expect((await outside.get('/api/runbooks?colour=red')).status).toBe(403);
    const nobody = `/api/runbooks/${randomUUID()}`;
    expect((await admin.patch(nobody, { nmae: 1 })).status).toBe(400);
    expect((await admin.patch(nobody, { name: 'x' })).status).toBe(404);
  });
});

describe('a request from another site', () => {
  const host = (): string => new URL(service.url).host;
  const write = async (headers: HeaderMap): Promise<number> =>
    (await admin.post('/api/runbooks', { name: 'x' }, headers)).status;

  it.each<[string, () => HeaderMap, number]>([
    ['no header', () => ({}), 201],
    ['the same origin', () => ({ origin: `http://${host()}` }), 201],
    ['the same origin in both headers', () => ({ origin: `http://${host()}`, 'sec-fetch-site': 'same-origin' }), 201],
    ['a client other than a browser', () => ({ 'sec-fetch-site': 'none' }), 201],
    ['a foreign origin', () => ({ origin: 'https://evil.example' }), 403],
    ['another port', () => ({ origin: 'http://127.0.0.1:1' }), 403],
    ['the host as a subdomain of another host', () => ({ origin: `http://${host()}.evil.example` }), 403],
    ['the host as the user name of another host', () => ({ origin: `http://${host()}@evil.example` }), 403],
    ['null', () => ({ origin: 'null' }), 403],
    ['nonsense', () => ({ origin: 'x y' }), 403],
    ['cross-site', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['cross-site, with the same origin', () => ({ origin: `http://${host()}`, 'sec-fetch-site': 'cross-site' }), 403],
    ['same-site, from a foreign origin', () => ({ origin: 'https://a.example', 'sec-fetch-site': 'same-site' }), 403],
    ['a forwarded host', () => ({ origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }), 403],
  ])('%s', async (_, headers, status) => expect(await write(headers())).toBe(status));

  it('is refused for every writing method, and for logging in', async () => {
    const { id } = await admin.make('/api/runbooks', { name: 'x' });
    const headers = { origin: 'https://evil.example' };
    for (const answer of [
      await admin.patch(`/api/runbooks/${id}`, { name: 'y' }, headers),
      await admin.delete(`/api/runbooks/${id}`, headers),
      await admin.post('/api/auth/logout', undefined, headers),
      await service.anonymous.post('/api/auth/login', { email: 'a@example.com', password: 'x' }, headers),
    ]) {
      expect(answer.status).toBe(403);
      expect(Object.keys(answer.body)).toEqual(['error']);
    }
    expect((await admin.get(`/api/runbooks/${id}`)).body.data.name).toBe('x');
  });

  it('is not restricted when it reads', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const answer = await admin.get('/api/runbooks', headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
