import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { sql, write } from '../../src/database/sql.js';
import { atOnce } from '../support/at-once.js';
import { itOnServer } from '../support/server.js';
import { until } from '../support/until.js';

let service: TestService;
let admin: Api;
let hr: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  hr = await service.as('editor', ['people']);
});
afterAll(() => service.stop());

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const person = async (fullName: string, more: object = {}): Promise<string> =>
  (await admin.make('/api/people', { fullName, ...more })).id as string;
const read = async (path: string): Promise<Record<string, unknown>> => (await admin.get(path)).body.data;
const refused = ({ status, body }: Answer): [number, string] => [status, body.error as string];

/** Creates a person with one record of each kind. Returns their paths. */
async function leaver(): Promise<Record<string, string>> {
  const id = await person('Ada');
  const asset = (await admin.make('/api/assets', { name: 'Laptop' })).id as string;
  await admin.post(`/api/assets/${asset}/assign`, { personId: id });
  const licence = (await admin.make('/api/software-licences', { name: 'IDE', seats: 1 })).id as string;
  const seat = (await admin.make(`/api/software-licences/${licence}/seats`, { personId: id })).id as string;
  const shift = async (startTime: string | null, endTime: string | null): Promise<string> =>
    (await admin.make('/api/on-call-schedules', { name: 'Night', rotation: id, personId: id, startTime, endTime }))
      .id as string;
  const [over, running, later] = [
    await shift(inHours(-9), inHours(-5)),
    await shift(inHours(-4), inHours(4)),
    await shift(inHours(4), null),
  ];
  const runbook = (await admin.make('/api/runbooks', { name: 'Failover', ownerId: id })).id as string;
  const incident = async (status: string): Promise<string> =>
    (await admin.make('/api/incidents', { name: status, status, assignedToId: id })).id as string;
  return {
    ...{ id, path: `/api/people/${id}`, asset, licence, seat, over: over!, running: running!, later: later!, runbook },
    open: await incident('open'),
    resolved: await incident('resolved'),
  };
}

it.each([true, false])('ends everything at once, with a successor (%p) or without', async (hasSuccessor) => {
  const its = await leaver();
  const successorId = hasSuccessor ? await person('Grace') : null;
  const what = hasSuccessor ? 'handed_over' : 'left_empty';
  const expected = [
    { resource: 'assets', id: its.asset, name: 'Laptop', what: 'returned' },
    { resource: 'software-licence-seats', id: its.seat, name: 'IDE', what: 'released' },
    { resource: 'on-call-schedules', id: its.running, name: 'Night', what: 'cut' },
    { resource: 'on-call-schedules', id: its.later, name: 'Night', what },
    { resource: 'runbooks', id: its.runbook, name: 'Failover', what },
    { resource: 'incidents', id: its.open, name: 'open', what },
    { resource: 'people', id: its.id, name: 'Ada', what: 'set_inactive' },
  ];
  const dry = await admin.post(`${its.path}/offboard?dryRun=true`, { successorId });
  expect(dry.body).toEqual({ data: { done: expected }, dryRun: true });
  expect(await read(its.path!)).toMatchObject({ status: 'active', assetCount: 1 });
  const answer = await admin.post(`${its.path}/offboard`, { successorId });
  expect([answer.status, answer.body]).toEqual([200, { data: { done: expected } }]);
  expect(await read(its.path!)).toMatchObject({ status: 'inactive', assetCount: 0 });
  expect(await read(`/api/assets/${its.asset}`)).toMatchObject({ status: 'in_stock', currentAssignee: null });
  expect(await read(`/api/software-licences/${its.licence}`)).toMatchObject({ assignedSeats: 0 });
  expect(await read(`/api/on-call-schedules/${its.over}`)).toMatchObject({ personId: its.id });
  expect(await read(`/api/on-call-schedules/${its.later}`)).toMatchObject({ personId: successorId });
  const cut = await read(`/api/on-call-schedules/${its.running}`);
  expect(cut).toMatchObject({ personId: its.id });
  const shifts = (await admin.get(`/api/on-call-schedules?rotation=${its.id}&sort=startTime`)).body.data;
  expect(shifts[2]).toMatchObject({ personId: successorId, startTime: cut.endTime, rotation: its.id });
  expect(await read(`/api/runbooks/${its.runbook}`)).toMatchObject({ ownerId: successorId });
  expect(await read(`/api/incidents/${its.open}`)).toMatchObject({ assignedToId: successorId });
  expect(await read(`/api/incidents/${its.resolved}`)).toMatchObject({ assignedToId: its.id });
  expect((await admin.post(`${its.path}/offboard`, { successorId })).body).toEqual({ data: { done: [] } });
});

it('does no more than it is told to', async () => {
  const its = await leaver();
  const body = { returnAssets: false, releaseSeats: false, endShifts: false };
  const { done } = (await admin.post(`${its.path}/offboard`, body)).body.data;
  expect(done.map(({ what }: { what: string }) => what)).toEqual(['left_empty', 'left_empty', 'set_inactive']);
  expect(await read(its.path!)).toMatchObject({ assetCount: 1 });
});

it('names the area that is lacking, and does nothing then', async () => {
  const its = await leaver();
  const desk = await service.as('editor', ['people', 'procurement']);
  expect(refused(await hr.post(`${its.path}/offboard`))).toEqual([403, 'This needs the area procurement']);
  expect(refused(await desk.post(`${its.path}/offboard`))).toEqual([403, 'This needs the area operations']);
  expect(await read(its.path!)).toMatchObject({ status: 'active', assetCount: 1 });
  const nobody = await person('Nobody');
  expect((await hr.post(`/api/people/${nobody}/offboard`)).body.data.done).toHaveLength(1);
});

it('takes an active successor, and an administrator for the profile', async () => {
  const profile = await admin.make('/api/profiles', {
    email: `${randomUUID()}@example.com`,
    password: 'a passphrase of a leaver',
  });
  const id = await person('Ada', { profileId: profile.id });
  const path = `/api/people/${id}/offboard`;
  const gone = await person('Gone', { status: 'inactive' });
  for (const successorId of [id, gone, randomUUID()])
    expect((await hr.post(path, { successorId })).body.details[0].field).toBe('successorId');
  expect((await hr.post(path, { deactivateProfile: true })).status).toBe(403);
  const { token } = await admin.make('/api/tokens', { name: 't' });
  const byToken = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"deactivateProfile":true}',
  });
  expect(byToken.status).toBe(403);
  const { done } = (await admin.post(path, { deactivateProfile: true })).body.data;
  expect(done.map(({ what }: { what: string }) => what)).toEqual(['deactivated', 'set_inactive']);
  expect(await read(`/api/profiles/${profile.id}`)).toMatchObject({ isActive: false });
  expect((await hr.post(`/api/people/${randomUUID()}/offboard`)).status).toBe(404);
});

it('ends the booking with which an asset is out', async () => {
  const personId = await person('Ada');
  const assetId = (await admin.make('/api/assets', { name: 'Projector' })).id as string;
  const booking = await admin.make('/api/bookings', {
    assetId,
    personId,
    startTime: inHours(-1),
    endTime: inHours(1),
  });
  expect((await admin.post(`/api/bookings/${booking.id}/pick-up`)).status).toBe(200);
  expect((await admin.post(`/api/people/${personId}/offboard`)).body.data.done).toHaveLength(2);
  expect(await read(`/api/bookings/${booking.id}`)).toMatchObject({ status: 'ended' });
});

itOnServer('leaves an asset alone that somebody else got while it waited', async () => {
  const leaving = await person('Ada');
  const next = await person('Bob');
  const asset = (await admin.make('/api/assets', { name: 'Laptop' })).id as string;
  await admin.post(`/api/assets/${asset}/assign`, { personId: leaving });
  const { db } = service.database;
  let offboarding!: Promise<Answer>;
  await db.transaction(async (tx) => {
    await tx.query(sql`SELECT FROM assets WHERE id = ${asset} FOR UPDATE`);
    offboarding = admin.post(`/api/people/${leaving}/offboard`);
    await until(async () => {
      const waiting = await db.query(
        sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    await tx.write(write`UPDATE asset_assignments SET returned_at = clock_timestamp() WHERE asset_id = ${asset}`);
    await tx.write(
      write`INSERT INTO asset_assignments (asset_id, person_id, person_name) VALUES (${asset}, ${next}, 'Bob')`,
    );
  });
  const { done } = (await offboarding).body.data;
  expect(done.map(({ what }: { what: string }) => what)).toEqual(['set_inactive']);
  expect(await read(`/api/assets/${asset}`)).toMatchObject({ currentAssignee: { personId: next } });
});

it('is done once by 20 callers at the same time', async () => {
  const its = await leaver();
  const answers = await atOnce(service, () =>
    Promise.all([
      ...Array.from({ length: 20 }, () => admin.post(`${its.path}/offboard`)),
      ...Array.from({ length: 5 }, () => admin.post(`/api/assets/${its.asset}/return`)),
      ...Array.from({ length: 5 }, () => admin.patch(`/api/runbooks/${its.runbook}`, { description: 'x' })),
      ...Array.from({ length: 5 }, () =>
        admin.post(`/api/software-licences/${its.licence}/seats`, { personId: its.id }),
      ),
      ...Array.from({ length: 5 }, () => admin.patch(`/api/incidents/${its.open}`, { assignedToId: its.id })),
      ...Array.from({ length: 5 }, () => admin.patch(its.path!, { title: 'x' })),
    ]),
  );
  const runs = answers.slice(0, 20);
  expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 200));
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  // Meanwhile others assign a seat and an incident to the person. Everything else appears once.
  const did = (what: string): number =>
    runs.flatMap(({ body }) => body.data.done).filter((record) => record.what === what).length;
  expect([did('cut'), did('set_inactive')]).toEqual([1, 1]);
  expect(did('returned')).toBeLessThanOrEqual(1);
  expect((await admin.get(`/api/on-call-schedules?rotation=${its.id}`)).body.total).toBe(4);
});
