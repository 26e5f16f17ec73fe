import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { AccessRule } from '../../src/access/access.js';
import { RouteTable } from '../../src/http/server/route-table.js';
import { startService, type TestService } from '../support/app.js';
import { asked } from '../support/access-rules.js';
import { rows } from '../resources/rows.js';

interface Route {
  controller: string;
  path: string;
  method: string;
  access?: AccessRule;
  takesKey?: boolean;
  /** Names of the classes between the envelope and the handler. */
  interceptors: string[];
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];

let service: TestService;
let routes: Route[];
/** All routes of Fastify, also those that no controller has. */
const registered: RouteOptions[] = [];
beforeAll(async () => {
  const { watch } = RouteTable.prototype;
  const spy = jest.spyOn(RouteTable.prototype, 'watch').mockImplementation(function (this: RouteTable, fastify) {
    fastify.addHook('onRoute', (route) => void registered.push(route));
    watch.call(this, fastify);
  });
  service = await startService({ METRICS_TOKEN: 'x'.repeat(32) });
  spy.mockRestore();
  routes = [...service.app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].flatMap(({ metatype }) => routesOf(metatype as new () => object)),
  );
});
afterAll(() => service.stop());

/** Routes of a controller and its superclasses, from the metadata of their decorators. */
function routesOf(controller: new () => object): Route[] {
  const base = Reflect.getMetadata('path', controller) as string;
  const found = new Map<string, Route>();
  for (let at: object | null = controller.prototype; at; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of Object.getOwnPropertyNames(at)) {
      const handler = Object.getOwnPropertyDescriptor(at, name)?.value as object | undefined;
      const path =
        typeof handler === 'function' ? (Reflect.getMetadata('path', handler) as string | undefined) : undefined;
      if (path === undefined || name === 'constructor' || found.has(name)) continue;
      found.set(name, {
        controller: controller.name,
        path: `/${base}/${path}`.replaceAll(/\/+/g, '/').replace(/(?<=.)\/$/, ''),
        method: METHODS[Reflect.getMetadata('method', handler!) as number]!,
        ...(Reflect.getMetadata('__fastify_route_config__', handler!) as { access?: AccessRule; takesKey?: boolean }),
        interceptors: ((Reflect.getMetadata('__interceptors__', handler!) ?? []) as { name: string }[]).map(
          (interceptor) => interceptor.name,
        ),
      });
    }
  }
  return [...found.values()];
}

it('finds the routes of every controller', () => {
  expect(routes.length).toBeGreaterThan(150);
});

it('takes a key on every POST but those with a secret, and on no other route', () => {
  const without = routes.filter(({ method, takesKey }) => method === 'POST' && !takesKey);
  expect(without.map(({ path }) => path).toSorted()).toEqual([
    '/api/auth/login',
    '/api/auth/logout',
    '/api/auth/password',
    '/api/calendar-feeds',
    '/api/change-sets/:id/preview',
    '/api/profiles',
    '/api/tokens',
    '/api/webhooks',
    '/api/webhooks/:id/rotate-secret',
    '/api/webhooks/:id/test',
  ]);
  expect(routes.filter(({ method, takesKey }) => method !== 'POST' && takesKey)).toEqual([]);
  // The pipeline is the only one of all routes.
  expect(routes.filter(({ interceptors }) => interceptors.length > 0)).toEqual([]);
});

const ruleOf = ({ config }: RouteOptions): AccessRule | undefined => config?.access;

it('has an access rule on every route', () => {
  expect(registered.length).toBeGreaterThan(routes.length);
  const closed = registered.filter((route) => !ruleOf(route)?.public && !ruleOf(route)?.role);
  expect(closed.map(({ method, url }) => [method, url])).toEqual([]);
});

it('opens these routes to everybody, and no others', () => {
  const open = registered.filter((route) => ruleOf(route)?.public && route.method !== 'HEAD');
  const paths = open.map(({ method, url }) => `${String(method)} ${url.replace(/^\/(docs|page)\/.*/, '/$1/<file>')}`);
  expect([...new Set(paths)].toSorted()).toEqual([
    'GET /',
    'GET /api/auth/oidc/callback',
    'GET /api/auth/oidc/login',
    'GET /calendar/:secret.ics',
    'GET /docs',
    'GET /docs/<file>',
    'GET /health/live',
    'GET /health/ready',
    'GET /llms.txt',
    'GET /metrics',
    'GET /openapi-3.0.json',
    'GET /openapi.json',
    'GET /page/<file>',
    'POST /api/auth/login',
  ]);
});

it('refuses everybody without a credential on all others, and no cache may keep that', async () => {
  const fastify = service.app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const answers = registered
    .filter((route) => !ruleOf(route)?.public)
    .map(async ({ method, url }) => {
      const at = { method: method as 'GET', url: url.replaceAll(/:\w+/g, randomUUID()) };
      const { statusCode, headers } = await fastify.inject(at);
      return [at.method, url, statusCode, headers['cache-control']];
    });
  expect(
    (await Promise.all(answers)).filter(([, , status, cached]) => status !== 401 || cached !== 'no-store'),
  ).toEqual([]);
});

it('requires what the contract asks of the caller', () => {
  for (const { method, path, access } of routes) {
    if (!path.startsWith('/api/') || !access?.role) continue;
    const { session, ...rest } = asked({ method, path });
    expect([method, path, access]).toEqual([method, path, session ? { ...rest, session } : rest]);
  }
});

it('has a row of data for every collection, and no other rows', () => {
  const collections = routes
    .filter(
      ({ method, path }) =>
        method === 'POST' && routes.some((other) => other.method === 'PATCH' && other.path.startsWith(`${path}/:`)),
    )
    .map(({ path }) => path.replaceAll(/:\w+/g, '{}'));
  // Their bodies are not those of the pattern; tokens.spec.ts, calendar-feeds.spec.ts, change-sets.spec.ts, custom-fields.spec.ts, transitions.spec.ts and webhooks.spec.ts in test/e2e have their rules.
  const own = [
    '/api/tokens',
    '/api/change-sets',
    '/api/calendar-feeds',
    '/api/custom-fields',
    '/api/transitions',
    '/api/webhooks',
  ];
  const others = collections.filter((path) => !own.includes(path));
  expect(collections).toEqual(expect.arrayContaining(own));
  expect(others.toSorted()).toEqual(rows.map((row) => row.path.replaceAll(/\{.*?\}/g, '{}')).toSorted());
});

it('has all five operations for every collection', () => {
  for (const row of rows) {
    const path = row.path.replaceAll(/\{.*?\}/g, ':id');
    const own = routes.filter((route) => route.path === path || new RegExp(`^${path}/:\\w+$`).test(route.path));
    expect([path, own.map(({ method }) => method).toSorted()]).toEqual([
      path,
      ['DELETE', 'GET', 'GET', 'PATCH', 'POST'],
    ]);
  }
});
