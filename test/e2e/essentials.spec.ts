import { randomUUID } from 'node:crypto';
import { Controller, Get, Module } from '@nestjs/common';
import { Access } from '../../src/access/access.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { sql } from '../../src/database/sql.js';

let service: TestService;
let editor: Api;

beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor');
});
afterAll(() => service.stop());

it('walks through the first five minutes: a person, their schedule, and the effects of deleting the person', async () => {
  const person = await editor.make('/api/people', { fullName: 'Ada Lovelace', email: 'ada@example.com' });
  const schedule = await editor.make('/api/on-call-schedules', { name: 'Primary', personId: person.id });
  expect(schedule.personId).toBe(person.id);
  expect((await editor.delete(`/api/people/${person.id}`)).status).toBe(204);
  const left = await editor.get(`/api/on-call-schedules/${schedule.id}`);
  expect(left.status).toBe(200);
  expect(left.body.data.personId).toBeNull();
});

it('refuses an unknown property, and names it', async () => {
  const answer = await editor.post('/api/runbooks', { name: 'Restart', contnet: 'Turn it off and on' });
  expect(answer.status).toBe(400);
  expect(answer.body.details).toEqual([
    { field: 'contnet', message: "is not a known property. Did you mean 'content'?" },
  ]);
});

it('keeps nothing of a failed transaction', async () => {
  const { db } = service.database;
  const failing = db.transaction(async (tx) => {
    await tx.query(sql`INSERT INTO vendors (name) VALUES ('kept by mistake')`);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await db.query(sql`SELECT 1 FROM vendors WHERE name = 'kept by mistake'`)).toEqual([]);
});

it('tells an unauthenticated caller nothing else', async () => {
  for (const [method, path, body] of [
    ['GET', '/api/runbooks', undefined],
    ['GET', '/api/nothing-of-this-name', undefined],
    ['PUT', '/api/runbooks', undefined],
    ['GET', '/api/runbooks/no-uuid', undefined],
    ['POST', '/api/runbooks', '{ not json'],
  ] as const) {
    const answer = await service.anonymous.request(method, path, body);
    expect([method, path, answer.status]).toEqual([method, path, 401]);
    expect(answer.body).toEqual({ error: 'Not authenticated. Log in at POST /api/auth/login' });
  }
});

describe('a route without an access rule', () => {
  @Controller('api/forgotten')
  class ForgottenController {
    @Get() list(): string[] {
      return [];
    }
    @Get('open') @Access({ role: 'viewer' }) open(): string[] {
      return [];
    }
  }
  @Module({ controllers: [ForgottenController] })
  class ForgottenModule {}

  it('is closed to everybody, including administrators', async () => {
    const forgetful = await service.beside({}, [ForgottenModule]);
    try {
      const admin = await forgetful.as('admin');
      expect((await admin.get('/api/forgotten')).status).toBe(403);
      expect((await admin.get('/api/forgotten/open')).status).toBe(200);
    } finally {
      await forgetful.stop();
    }
  });
});

describe('records', () => {
  let admin: Api;
  beforeAll(async () => (admin = await service.as('admin')));

  it('that are read at the same moment go each to its own request', async () => {
    const made: { id: string; name: string }[] = [];
    for (let n = 0; n < 20; n++) made.push(await admin.make('/api/sites', { name: `Site ${n}` }));
    const viewer = await service.as('viewer');
    const answers = await Promise.all([
      ...made.map(({ id }) => admin.get(`/api/sites/${id}`)),
      ...made.map(({ id }) => viewer.get(`/api/sites/${id.toUpperCase()}`)),
      admin.get(`/api/sites/${randomUUID()}`),
    ]);
    expect(answers.slice(0, 40).map(({ body }) => body.data?.name)).toEqual([...made, ...made].map(({ name }) => name));
    expect(answers.at(-1)!.status).toBe(404);
  });
});
