import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { until as eventually } from '../support/until.js';
import { sql, raw } from '../../src/database/sql.js';

let service: TestService;
let editor: Api;
let people: string[];
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor');
  people = [];
  for (const fullName of ['Ada', 'Grace', 'Edsger'])
    people.push((await editor.make('/api/people', { fullName })).id as string);
});
afterAll(() => service.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- records have any shape
type Json = any;
const newRoster = (): string => `roster ${randomUUID()}`;
const at = (hour: number): string => new Date(Date.UTC(2026, 5, 1, hour)).toISOString();
const faultsOf = ({ status, body }: Answer): [number, string[]] => [
  status,
  body.details?.map(({ field }: { field: string }) => field),
];

const schedule = (rotation: string, start: number | null, end: number | null, personId: string | null = people[0]!) =>
  editor.make('/api/on-call-schedules', {
    name: 'Primary',
    rotation,
    description: 'By telephone',
    personId,
    startTime: start === null ? null : at(start),
    endTime: end === null ? null : at(end),
  });
/** The schedules of a roster, sorted by start: their ids, people and times. */
async function schedulesOf(rotation: string): Promise<Json[]> {
  const { body } = await editor.get(`/api/on-call-schedules?${new URLSearchParams({ rotation, sort: 'startTime' })}`);
  return body.data.map(({ id, personId, startTime, endTime }: Json) => [id, personId, startTime, endTime]);
}
const cover = (id: string, body: object, api = editor, headers?: Record<string, string>): Promise<Answer> =>
  api.post(`/api/on-call-schedules/${id}/cover`, body, headers);
const overlapsOf = async (roster: string): Promise<Json[]> =>
  (await editor.get(`/api/on-call/overlaps?${new URLSearchParams({ roster, from: '2026-05-01', to: '2026-12-01' })}`))
    .body.data;

describe('a cover', () => {
  it('of the middle splits the shift into three, of which the schedule stays the first', async () => {
    const roster = newRoster();
    const [ada, grace] = people;
    const { id } = await schedule(roster, 0, 24);
    const answer = await cover(id, { personId: grace, startTime: at(8), endTime: at(16) });
    expect([answer.status, Object.keys(answer.body.data)]).toEqual([200, ['scheduleIds']]);
    const ids = answer.body.data.scheduleIds;
    expect(await schedulesOf(roster)).toEqual([
      [id, ada, at(0), at(8)],
      [ids[1], grace, at(8), at(16)],
      [ids[2], ada, at(16), at(24)],
    ]);
    expect(ids[0]).toBe(id);
    expect((await editor.get(`/api/on-call-schedules/${ids[2]}`)).body.data).toMatchObject({
      name: 'Primary',
      rotation: roster,
      description: 'By telephone',
    });
  });

  it('of the beginning leaves the end with the schedule', async () => {
    const roster = newRoster();
    const [ada, grace] = people;
    const { id } = await schedule(roster, 0, 24);
    const [first, ...rest] = (await cover(id, { personId: grace, endTime: at(8) })).body.data.scheduleIds;
    expect(rest).toEqual([id]);
    expect(await schedulesOf(roster)).toEqual([
      [first, grace, at(0), at(8)],
      [id, ada, at(8), at(24)],
    ]);
  });

  it('of the end leaves the beginning with the schedule', async () => {
    const roster = newRoster();
    const [ada, grace] = people;
    const { id } = await schedule(roster, 0, 24);
    const { scheduleIds } = (await cover(id, { personId: grace, startTime: at(8) })).body.data;
    expect(await schedulesOf(roster)).toEqual([
      [id, ada, at(0), at(8)],
      [scheduleIds[1], grace, at(8), at(24)],
    ]);
  });

  it('of all of it changes only the person, who may be nobody', async () => {
    const roster = newRoster();
    const { id } = await schedule(roster, 0, 24);
    expect((await cover(id, { personId: people[1] })).body).toEqual({ data: { scheduleIds: [id] } });
    expect(await schedulesOf(roster)).toEqual([[id, people[1], at(0), at(24)]]);
    await cover(id, { personId: null, startTime: at(0), endTime: at(24) });
    expect(await schedulesOf(roster)).toEqual([[id, null, at(0), at(24)]]);
  });

  it('of an open shift leaves its ends open', async () => {
    const roster = newRoster();
    const [ada, grace] = people;
    const { id } = await schedule(roster, null, null);
    const { scheduleIds } = (await cover(id, { personId: grace, startTime: at(0), endTime: at(8) })).body.data;
    expect((await schedulesOf(roster)).toSorted(([, , a], [, , b]) => ((a ?? '') < (b ?? '') ? -1 : 1))).toEqual([
      [id, ada, null, at(0)],
      [scheduleIds[1], grace, at(0), at(8)],
      [scheduleIds[2], ada, at(8), null],
    ]);
  });

  it('by the person who has the shift changes nothing', async () => {
    const roster = newRoster();
    const made = await schedule(roster, 0, 24);
    const answer = await cover(made.id, { personId: people[0], startTime: at(8), endTime: at(16) });
    expect(answer.body.data).toEqual({ scheduleIds: [made.id] });
    expect((await editor.get(`/api/on-call-schedules/${made.id}`)).body.data).toEqual(made);
  });

  it('is in the change log as one request', async () => {
    const { id } = await schedule(newRoster(), 0, 24);
    const { headers } = await cover(id, { personId: people[1], startTime: at(8), endTime: at(16) });
    const { body } = await editor.get(`/api/change-log?requestId=${headers.get('x-request-id')}`);
    expect(body.data.map(({ action }: Json) => action).toSorted()).toEqual(['create', 'create', 'update']);
  });

  it.each([
    ['starts before it', { startTime: -1, endTime: 4 }, ['startTime']],
    ['ends after it', { startTime: 4, endTime: 25 }, ['endTime']],
    ['is before it', { startTime: -8, endTime: 0 }, ['startTime', 'endTime']],
    ['is after it', { startTime: 24, endTime: 30 }, ['startTime', 'endTime']],
    ['ends as it starts', { startTime: 4, endTime: 4 }, ['endTime']],
  ])('that %s is refused, and changes nothing', async (_, { startTime, endTime }, fields) => {
    const roster = newRoster();
    const made = await schedule(roster, 0, 24);
    const answer = await cover(made.id, { personId: people[1], startTime: at(startTime), endTime: at(endTime) });
    expect(faultsOf(answer)).toEqual([400, fields]);
    expect(await schedulesOf(roster)).toEqual([[made.id, people[0], at(0), at(24)]]);
  });

  it('needs a person who exists, a schedule that exists and the role editor', async () => {
    const { id } = await schedule(newRoster(), 0, 24);
    expect(faultsOf(await cover(id, {}))).toEqual([400, ['personId']]);
    expect(faultsOf(await cover(id, { personId: randomUUID(), startTime: at(-1) }))).toEqual([
      400,
      ['startTime', 'personId'],
    ]);
    expect((await cover(randomUUID(), { personId: randomUUID() })).status).toBe(404);
    expect((await cover(id, { personId: people[1] }, await service.as('viewer'))).status).toBe(403);
    expect((await cover(id, { personId: people[1] }, await service.as('editor', ['network']))).status).toBe(403);
  });

  it('is made once with an Idempotency-Key', async () => {
    const roster = newRoster();
    const { id } = await schedule(roster, 0, 24);
    const body = { personId: people[1], startTime: at(8), endTime: at(16) };
    const headers = { 'idempotency-key': randomUUID() };
    const first = await cover(id, body, editor, headers);
    expect((await cover(id, body, editor, headers)).body).toEqual(first.body);
    expect(await schedulesOf(roster)).toHaveLength(3);
  });
});

const rotation = (body: object = {}) => ({
  name: 'Primary',
  rotation: newRoster(),
  personIds: people,
  startTime: '2026-03-16T09:00',
  timeZone: 'Europe/Paris',
  unit: 'week',
  until: '2026-04-13T09:00',
  ...body,
});
const rotate = (body: object, query = '', api = editor): Promise<Answer> =>
  api.post(`/api/on-call-schedules/rotation${query}`, body);
/** The starts of the turns of a rotation, and the end of the last turn. */
async function edges(body: object): Promise<string[]> {
  const answer = await rotate(rotation(body));
  expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  const { shifts } = answer.body.data;
  for (const [index, { startTime }] of shifts.entries()) {
    if (index > 0) expect(startTime).toBe(shifts[index - 1].endTime);
  }
  return [...shifts.map(({ startTime }: Json) => startTime), shifts.at(-1).endTime].map((time: string) =>
    time.replace(':00.000Z', ''),
  );
}

describe('a rotation', () => {
  it('writes schedules in which people take turns, with the hand-over at the same time of day', async () => {
    const body = rotation({ description: 'By telephone' });
    const answer = await rotate(body);
    expect(answer.status).toBe(201);
    const { shifts, ...rest } = answer.body.data;
    expect(rest).toEqual({ removedIds: [], shortenedIds: [] });
    const [ada, grace, edsger] = people;
    // The clocks change on 29 March.
    expect(shifts).toEqual(
      [
        [ada, '2026-03-16T08:00:00.000Z', '2026-03-23T08:00:00.000Z'],
        [grace, '2026-03-23T08:00:00.000Z', '2026-03-30T07:00:00.000Z'],
        [edsger, '2026-03-30T07:00:00.000Z', '2026-04-06T07:00:00.000Z'],
        [ada, '2026-04-06T07:00:00.000Z', '2026-04-13T07:00:00.000Z'],
      ].map(([personId, startTime, endTime]) => ({ id: expect.any(String), personId, startTime, endTime })),
    );
    expect((await editor.get(`/api/on-call-schedules/${shifts[1].id}`)).body.data).toMatchObject({
      name: 'Primary',
      rotation: body.rotation,
      description: 'By telephone',
      personId: grace,
    });
    const { body: log } = await editor.get(`/api/change-log?requestId=${answer.headers.get('x-request-id')}`);
    expect(log.data.map(({ action }: Json) => action)).toEqual(['create', 'create', 'create', 'create']);
  });

  it('counts months from its start: over 31 January and 29 February', async () => {
    const months = { unit: 'month', timeZone: 'UTC' };
    expect(await edges({ ...months, startTime: '2028-01-31T09:00', until: '2028-05-31T09:00' })).toEqual([
      '2028-01-31T09:00',
      '2028-02-29T09:00',
      '2028-03-31T09:00',
      '2028-04-30T09:00',
      '2028-05-31T09:00',
    ]);
    expect(await edges({ ...months, startTime: '2027-01-31', until: '2027-04-01' })).toEqual([
      '2027-01-31T00:00',
      '2027-02-28T00:00',
      '2027-03-31T00:00',
      '2027-04-01T00:00',
    ]);
    expect(await edges({ ...months, startTime: '2028-02-29', every: 12, until: '2030-02-28' })).toEqual([
      '2028-02-29T00:00',
      '2029-02-28T00:00',
      '2030-02-28T00:00',
    ]);
  });

  it.each([
    [
      'Europe/Paris',
      '2026-03-28T02:30',
      '2026-03-30T02:30',
      ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30'],
    ],
    [
      'Europe/Paris',
      '2026-10-24T09:00',
      '2026-10-26T09:00',
      ['2026-10-24T07:00', '2026-10-25T08:00', '2026-10-26T08:00'],
    ],
    [
      'America/New_York',
      '2026-03-07T09:00',
      '2026-03-09T09:00',
      ['2026-03-07T14:00', '2026-03-08T13:00', '2026-03-09T13:00'],
    ],
    [
      'America/New_York',
      '2026-10-31T09:00',
      '2026-11-02T09:00',
      ['2026-10-31T13:00', '2026-11-01T14:00', '2026-11-02T14:00'],
    ],
    [
      'Australia/Lord_Howe',
      '2026-04-04T09:00',
      '2026-04-06T09:00',
      ['2026-04-03T22:00', '2026-04-04T22:30', '2026-04-05T22:30'],
    ],
    [
      'Australia/Lord_Howe',
      '2026-10-03T09:00',
      '2026-10-05T09:00',
      ['2026-10-02T22:30', '2026-10-03T22:00', '2026-10-04T22:00'],
    ],
  ])('of days keeps its time of day in %s from %s', async (timeZone, startTime, until, expected) => {
    expect(await edges({ unit: 'day', timeZone, startTime, until })).toEqual(expected);
  });

  it('counts hours in elapsed time, and cuts the last turn', async () => {
    const hours = { unit: 'hour', every: 12, startTime: '2026-03-28T20:00', until: '2026-03-29T20:00' };
    // This day has 23 hours.
    expect(await edges(hours)).toEqual(['2026-03-28T19:00', '2026-03-29T07:00', '2026-03-29T18:00']);
  });

  it('writes at most 1000 shifts', async () => {
    const hourly = { unit: 'hour', timeZone: 'UTC', startTime: '2026-01-01', until: '2026-02-11T16:00' };
    const { status, body } = await rotate(rotation(hourly));
    expect([status, body.data?.shifts.length]).toEqual([201, 1000]);
    expect(faultsOf(await rotate(rotation({ ...hourly, until: '2026-02-11T16:01' })))).toEqual([400, ['until']]);
  });

  it.each([
    [
      'nothing',
      {
        name: undefined,
        rotation: undefined,
        personIds: undefined,
        startTime: undefined,
        timeZone: undefined,
        unit: undefined,
        until: undefined,
      },
      ['name', 'rotation', 'personIds', 'startTime', 'timeZone', 'unit', 'until'],
    ],
    [
      'times with an offset',
      { startTime: '2026-03-16T09:00Z', until: '2026-04-13T09:00+01:00' },
      ['startTime', 'until'],
    ],
    ['no such time zone', { timeZone: 'Europe/Atlantis' }, ['timeZone']],
    ['a time zone that Node knows and the database does not', { timeZone: 'US/Pacific-New' }, ['timeZone']],
    ['no length', { every: 0, unit: 'year' }, ['every', 'unit']],
    ['no people', { personIds: [] }, ['personIds']],
    ['no such person', { personIds: [randomUUID()] }, ['personIds[0]']],
    ['an end that is not after its start', { until: '2026-03-16T09:00' }, ['until']],
    ['years before the first', { startTime: '0001-01-01T00:00', timeZone: 'Asia/Tokyo' }, ['startTime']],
    [
      'years after 9999',
      { startTime: '9999-12-31T20:00', until: '9999-12-31T23:00', unit: 'hour' },
      ['startTime', 'until'],
    ],
    [
      'an end that the clocks skip',
      { unit: 'day', startTime: '2026-03-29T02:30', until: '2026-03-29T03:00' },
      ['until'],
    ],
  ])('of %s is refused', async (_, body, fields) => {
    expect(faultsOf(await rotate(rotation(body)))).toEqual([400, fields]);
  });

  it('is refused with all shifts that it overlaps, and none that it touches', async () => {
    const roster = newRoster();
    const days = { rotation: roster, unit: 'day', timeZone: 'UTC', startTime: '2026-06-02', until: '2026-06-04' };
    await schedule(roster, 0, 24);
    await schedule(roster, 72, 96);
    expect((await rotate(rotation(days), '?dryRun=true')).status).toBe(201);
    const [inside, reaching] = [await schedule(roster, 30, 34), await schedule(roster, 70, 80)];
    const answer = await rotate(rotation(days));
    expect(faultsOf(answer)).toEqual([409, ['rotation', 'rotation']]);
    expect([answer.body.error.includes(inside.id), answer.body.details[1].message.includes(reaching.id)]).toEqual([
      true,
      true,
    ]);
    expect(await schedulesOf(roster)).toHaveLength(4);
  });

  it('replaces what is within it, and keeps what reaches out of it', async () => {
    const roster = newRoster();
    const [ada, grace] = people;
    const around = await schedule(roster, null, 200, grace);
    const [before, inside, after] = [
      await schedule(roster, 0, 30, grace),
      await schedule(roster, 30, 40, grace),
      await schedule(roster, 40, 100, grace),
    ];
    const days = {
      rotation: roster,
      personIds: [ada],
      unit: 'day',
      every: 2,
      timeZone: 'UTC',
      startTime: '2026-06-02',
      until: '2026-06-04',
      replace: true,
    };
    const state = await schedulesOf(roster);
    const rehearsed = await rotate(rotation(days), '?dryRun=true');
    expect([rehearsed.status, rehearsed.body.dryRun, rehearsed.headers.get('location')]).toEqual([201, true, null]);
    expect(await schedulesOf(roster)).toEqual(state);
    const { status, body } = await rotate(rotation(days));
    expect(status).toBe(201);
    expect(rehearsed.body.data).toMatchObject({ removedIds: body.data.removedIds });
    expect(body.data).toEqual({
      shifts: [{ id: expect.any(String), personId: ada, startTime: at(24), endTime: at(72) }],
      removedIds: [inside.id],
      shortenedIds: [around.id, before.id, after.id],
    });
    const found = await schedulesOf(roster);
    expect(found.map(([id, ...rest]) => (id === around.id ? ['around', ...rest] : rest))).toEqual([
      [grace, at(0), at(24)],
      [ada, at(24), at(72)],
      expect.arrayContaining([grace, at(72)]),
      expect.arrayContaining([grace, at(72)]),
      ['around', grace, null, at(24)],
    ]);
    expect(found.map(([, , , endTime]) => endTime).toSorted()).toEqual([at(24), at(24), at(72), at(100), at(200)]);
  });
});

// Without a server there is one connection, so requests wait for each other.
(onServer ? describe : describe.skip)('at the same time', () => {
  const ROUNDS = 15;

  it('two covers of the same hours end in one cover and one clear refusal', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const roster = newRoster();
      const { id } = await schedule(roster, 0, 24);
      const hours = { startTime: at(8), endTime: round % 2 === 0 ? at(16) : at(24) };
      const answers = await Promise.all(people.slice(1).map((personId) => cover(id, { personId, ...hours })));
      const statuses = answers.map(({ status }) => status).toSorted();
      expect([statuses[0], [400, 409].includes(statuses[1]!)]).toEqual([200, true]);
      const refused = answers.find(({ status }) => status !== 200)!;
      expect(refused.body.error).toMatch(/changed meanwhile|must be within the shift/);
      expect(await overlapsOf(roster)).toEqual([]);
      expect(await schedulesOf(roster)).toHaveLength(round % 2 === 0 ? 3 : 2);
    }
  });

  it('of two covers of a whole shift that wait for the same lock, one is refused', async () => {
    const { id } = await schedule(newRoster(), 0, 24);
    const { db } = service.database;
    let sent: Promise<Answer[]>;
    await db.transaction(async (tx) => {
      await tx.query(sql`SELECT FROM on_call_schedules WHERE id = ${id} FOR UPDATE`);
      sent = Promise.all(people.slice(1).map((personId) => cover(id, { personId })));
      const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await eventually(
        () => db.query(raw(waits)),
        (waiting) => waiting.length >= 2,
      );
    });
    const answers = (await sent!).toSorted((a, b) => a.status - b.status);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(answers[1]!.body.error).toContain('changed meanwhile');
  });

  it('two rotations of the same roster end in one rotation and one conflict', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const body = rotation();
      const answers = await Promise.all([rotate(body), rotate(body)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      expect(await schedulesOf(body.rotation)).toHaveLength(4);
    }
  });

  it('covers and a rotation that replaces the shifts leave no overlap', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const roster = newRoster();
      const { id } = await schedule(roster, 0, 240);
      const days = { rotation: roster, unit: 'day', timeZone: 'UTC', startTime: '2026-06-02', until: '2026-06-06' };
      const answers = await Promise.all([
        cover(id, { personId: people[1], startTime: at(30), endTime: at(40) }),
        rotate(rotation({ ...days, replace: true })),
        cover(id, { personId: people[2], startTime: at(36), endTime: at(48) }),
      ]);
      expect([answers[1]!.status, answers.every(({ status }) => status < 500)]).toEqual([201, true]);
      expect(await overlapsOf(roster)).toEqual([]);
    }
  });
});
