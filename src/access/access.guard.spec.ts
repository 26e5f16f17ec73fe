import { Controller, Get } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Database } from '../database/database.js';
import { ErrorFilter } from '../http/server/error.filter.js';
import { RouteTable } from '../http/server/route-table.js';
import { Public } from './access.js';
import { AccessGuard, Callers } from './access.guard.js';

const handled = jest.fn(() => 'secret');

@Controller('api/probe')
class ProbeController {
  @Get()
  @Public()
  read(): string {
    return handled();
  }
}

/** An application with the guard. If `hook` is false, it lacks the hook that calls the guard before the body. */
async function applicationWith(hook: boolean): Promise<NestFastifyApplication> {
  const module = await Test.createTestingModule({
    controllers: [ProbeController],
    providers: [
      AccessGuard,
      { provide: APP_GUARD, useExisting: AccessGuard },
      { provide: Callers, useValue: { callerOf: () => Promise.resolve(undefined) } satisfies Callers },
      { provide: Database, useValue: {} },
    ],
  }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
  const guard = app.get(AccessGuard);
  if (hook) {
    guard.watch(app.getHttpAdapter().getInstance() as never);
  }
  app.useGlobalFilters(
    new ErrorFilter(new RouteTable(), {
      refusalOf: () => undefined,
      violationsOf: (error) => [error],
      otherRecord: async () => undefined,
      danglingReferences: async () => [],
      isOut: () => false,
    }),
  );
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

let app: NestFastifyApplication;
beforeEach(() => handled.mockClear());
afterEach(() => app.close());

it('refuses a request that reaches a handler without having been checked, even on a public route', async () => {
  app = await applicationWith(false);
  const { statusCode, body } = await app.inject('/api/probe');
  expect([statusCode, body]).toEqual([403, '{"error":"Forbidden","code":"forbidden"}']);
  expect(handled).not.toHaveBeenCalled();
});

it('lets the handler have a request that was checked', async () => {
  app = await applicationWith(true);
  const { statusCode, body } = await app.inject('/api/probe');
  expect([statusCode, body]).toEqual([200, 'secret']);
});
