import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
let ada: Person;
let grace: Person;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  [ada, grace] = [await person('Ada', '+33 1'), await person('Grace')];
});
afterAll(() => service.stop());

interface Person {
  id: string;
  fullName: string;
  email: string | null;
  phone: string | null;
  status: string;
}
// oxlint-disable-next-line typescript/no-explicit-any -- entries have any shape
type Entry = any;

async function person(fullName: string, phone: string | null = null): Promise<Person> {
  const email = `${fullName.toLowerCase()}-${randomUUID()}@example.com`;
  const { id, status } = await admin.make('/api/people', { fullName, email, phone });
  return { id, fullName, email, phone, status };
}
const newRoster = (): string => `roster ${randomUUID()}`;
const at = (hour: number): string => new Date(Date.UTC(2026, 5, 1, hour)).toISOString();
/** A schedule between two hours of June. */
const shift = (rotation: string, who: Person | null, start: number | null, end: number | null): Promise<Entry> =>
  admin.make('/api/on-call-schedules', {
    name: `${rotation} ${start}`,
    rotation,
    personId: who?.id ?? null,
    startTime: start === null ? null : at(start),
    endTime: end === null ? null : at(end),
  });
async function list(path: string, query: Record<string, string | string[]>): Promise<Entry[]> {
  const parameters = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  const { status, body } = await admin.get(
    `/api/on-call${path}?${new URLSearchParams(parameters as [string, string][])}`,
  );
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
}
const faultsOf = ({ status, body }: Answer): [number, string[]] => [
  status,
  body.details?.map(({ field }: { field: string }) => field),
];

it('is computed by statements that are not compiled, which would take longer than to run them', async () => {
  expect(await service.database.db.query(sql`SHOW jit`)).toEqual([{ jit: 'off' }]);
});

describe('who is on call', () => {
  it('has an entry for each covering shift, with the person and the next shift', async () => {
    const roster = newRoster();
    const first = await shift(roster, ada, 0, 8);
    const second = await shift(roster, grace, 8, 16);
    expect(await list('', { at: at(0), roster })).toEqual([
      {
        roster,
        scheduleId: first.id,
        name: first.name,
        startTime: at(0),
        endTime: at(8),
        person: ada,
        next: { scheduleId: second.id, startTime: at(8), person: grace },
      },
    ]);
    // The instant between two adjacent shifts belongs to the second.
    expect(await list('', { at: at(8), roster })).toMatchObject([{ scheduleId: second.id, person: grace, next: null }]);
  });

  it('has one entry without a schedule for a roster that nobody covers, for 90 days after its last shift', async () => {
    const roster = newRoster();
    await shift(roster, ada, 0, 8);
    const nobody = { roster, scheduleId: null, name: null, startTime: null, endTime: null, person: null, next: null };
    expect(await list('', { at: at(8), roster })).toEqual([nobody]);
    expect(await list('', { at: at(-1), roster })).toMatchObject([{ scheduleId: null, next: { person: ada } }]);
    expect(await list('', { at: new Date(Date.parse(at(8)) + 90 * 86_400_000 - 1).toISOString(), roster })).toEqual([
      nobody,
    ]);
    expect(await list('', { at: new Date(Date.parse(at(8)) + 90 * 86_400_000).toISOString(), roster })).toEqual([]);
  });

  it('takes a missing start or end as open', async () => {
    const roster = newRoster();
    const old = await shift(roster, ada, null, 4);
    const last = await shift(roster, grace, 4, null);
    expect(await list('', { at: '1990-01-01', roster })).toMatchObject([
      { scheduleId: old.id, startTime: null, endTime: at(4), next: { scheduleId: last.id } },
    ]);
    expect(await list('', { at: '2999-01-01', roster })).toMatchObject([
      { scheduleId: last.id, startTime: at(4), endTime: null, next: null },
    ]);
  });

  it('takes the name of a schedule without a rotation as its roster, and equal texts as one', async () => {
    const roster = newRoster();
    await admin.make('/api/on-call-schedules', { name: roster, personId: ada.id });
    await shift(roster, grace, 0, 8);
    expect((await list('', { at: at(1), roster })).map((entry) => entry.person.fullName)).toEqual(['Ada', 'Grace']);
  });

  it('shows a shift without a person, and a person who was deleted as nobody', async () => {
    const roster = newRoster();
    const gone = await person('Gone');
    const made = await shift(roster, gone, 0, 8);
    expect(await list('', { at: at(1), roster })).toMatchObject([{ person: gone }]);
    expect((await admin.delete(`/api/people/${gone.id}`)).status).toBe(204);
    expect(await list('', { at: at(1), roster })).toMatchObject([{ scheduleId: made.id, person: null }]);
    expect(await list('/gaps', { from: at(0), to: at(12), roster })).toEqual([
      { roster, startTime: at(0), endTime: at(8), reason: 'nobody_assigned' },
      { roster, startTime: at(8), endTime: at(12), reason: 'no_shift' },
    ]);
  });

  it('responds with asOf as it was recorded then: before a change, a delete and a creation', async () => {
    const roster = newRoster();
    const changed = await shift(roster, ada, 0, 8);
    const deleted = await shift(roster, grace, 8, 16);
    const before = await clock();
    await admin.patch(`/api/on-call-schedules/${changed.id}`, { personId: grace.id, endTime: at(7) });
    await admin.delete(`/api/on-call-schedules/${deleted.id}`);
    await shift(roster, ada, 16, 24);
    const after = await clock();
    expect(await list('', { at: at(7), roster })).toMatchObject([{ scheduleId: null, next: { startTime: at(16) } }]);
    expect(await list('', { at: at(7), roster, asOf: before })).toMatchObject([
      { scheduleId: changed.id, person: ada, endTime: at(8), next: { scheduleId: deleted.id, person: grace } },
    ]);
    expect(await list('', { at: at(17), roster, asOf: before })).toMatchObject([{ scheduleId: null }]);
    for (const hour of [1, 7, 9, 17]) {
      expect(await list('', { at: at(hour), roster, asOf: after })).toEqual(await list('', { at: at(hour), roster }));
    }
    expect((await admin.get('/api/on-call?asOf=2000-01-01')).status).toBe(410);
  });

  it('responds with asOf with the person as recorded then, also if the person was deleted', async () => {
    const roster = newRoster();
    const gone = await person('Leaver');
    await shift(roster, gone, 0, 8);
    const before = await clock();
    await admin.delete(`/api/people/${gone.id}`);
    expect(await list('', { at: at(1), roster })).toMatchObject([{ person: null }]);
    expect(await list('', { at: at(1), roster, asOf: before })).toMatchObject([{ person: gone }]);
  });

  it('is a list like others: pages, CSV, JSON lines, refusals', async () => {
    const [a, b] = [newRoster(), newRoster()].toSorted();
    await shift(a!, ada, 0, 8);
    await shift(b!, grace, 0, 8);
    const query = `at=${at(1)}&roster=${a}&roster=${b}`.replaceAll(' ', '%20');
    expect((await admin.get(`/api/on-call?${query}&pageSize=1&page=2`)).body).toMatchObject({
      data: [{ roster: b }],
      total: 2,
      page: 2,
      pageSize: 1,
      hasMore: false,
    });
    const { text, headers } = await admin.get(`/api/on-call?${query}&format=csv`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="on-call.csv"');
    expect(text.split('\r\n')).toHaveLength(4);
    expect(text).toContain('roster,scheduleId,name,startTime,endTime,person,next\r\n');
    const lines = (await admin.get(`/api/on-call?${query}`, { accept: 'application/x-ndjson' })).text
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(await list('', { at: at(1), roster: [a!, b!] }));
    expect(faultsOf(await admin.get('/api/on-call?at=noon&rooster=x'))).toEqual([400, ['at', 'rooster']]);
    expect((await admin.get('/api/on-call', { accept: 'text/html' })).status).toBe(406);
    const outsider = await service.as('admin', ['network', 'procurement', 'people']);
    expect((await outsider.get('/api/on-call')).status).toBe(403);
  });
});

/** A time after all past changes and before all later ones. */
async function clock(): Promise<string> {
  const [row] = await service.database.db.query<{ at: string }>(
    sql`SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, pg_sleep(0.005)`,
  );
  return row!.at;
}

describe('a window', () => {
  it('has the shifts, cut to it', async () => {
    const roster = newRoster();
    const [open, inner, unassigned] = [
      await shift(roster, ada, null, 4),
      await shift(roster, grace, 4, 8),
      await shift(roster, null, 8, null),
    ];
    await shift(roster, ada, -5, 2);
    await shift(roster, ada, 12, 20);
    expect(await list('/shifts', { from: at(2), to: at(12), roster })).toEqual([
      { roster, scheduleId: open.id, name: open.name, startTime: at(2), endTime: at(4), person: ada },
      { roster, scheduleId: inner.id, name: inner.name, startTime: at(4), endTime: at(8), person: grace },
      { roster, scheduleId: unassigned.id, name: unassigned.name, startTime: at(8), endTime: at(12), person: null },
    ]);
    expect(await list('/shifts', { from: at(2), to: at(12), roster, personId: grace.id })).toHaveLength(1);
    expect(await list('/shifts', { from: at(2), to: at(12), roster, personId: [grace.id, ada.id] })).toHaveLength(2);
  });

  it('is one gap for a roster without any shift in it', async () => {
    const roster = newRoster();
    await shift(roster, ada, 100, 108);
    expect(await list('/gaps', { from: at(0), to: at(24), roster })).toEqual([
      { roster, startTime: at(0), endTime: at(24), reason: 'no_shift' },
    ]);
    expect(await list('/gaps', { from: at(0), to: at(24), roster: newRoster() })).toEqual([]);
  });

  it('has no gap and no overlap where shifts touch', async () => {
    const roster = newRoster();
    await shift(roster, ada, 0, 4);
    await shift(roster, grace, 4, 8);
    expect(await list('/gaps', { from: at(0), to: at(8), roster })).toEqual([]);
    expect(await list('/overlaps', { from: at(0), to: at(8), roster })).toEqual([]);
  });

  it('has as many overlaps as a list can be, and refuses a window with more', async () => {
    const roster = newRoster();
    // Each schedule lies within the one before, so the number of overlaps is quadratic.
    const nested = (from: number, to: number): Promise<unknown> =>
      service.database.db.query(
        sql`INSERT INTO on_call_schedules (name, rotation, person_id, start_time, end_time)
          SELECT 'nested', ${roster}, ${ada.id}::uuid, ${at(0)}::timestamptz + make_interval(mins => n), ${at(24 * 20)}::timestamptz - make_interval(mins => n)
          FROM generate_series(${from}::int, ${to}::int) n`,
      );
    await nested(1, 200);
    const asked = { from: at(0), to: at(24 * 20), roster };
    expect((await list('/overlaps', { ...asked, pageSize: '1' }))[0].scheduleIds).toHaveLength(2);
    await nested(201, 500);
    for (const format of ['csv', 'ndjson']) {
      const answer = await admin.get(`/api/on-call/overlaps?${new URLSearchParams({ ...asked, format })}`);
      expect(faultsOf(answer)).toEqual([400, ['to']]);
    }
    await service.database.db.query(sql`DELETE FROM on_call_schedules WHERE rotation = ${roster}`);
  });

  it('has an overlap for each set of shifts, also of one person, and none with a shift without a person', async () => {
    const roster = newRoster();
    const a = await shift(roster, ada, 0, 8);
    const b = await shift(roster, ada, 4, 12);
    const c = await shift(roster, grace, 6, 9);
    await shift(roster, null, 0, 24);
    expect(await list('/overlaps', { from: at(0), to: at(24), roster })).toEqual([
      { roster, startTime: at(4), endTime: at(6), scheduleIds: [a.id, b.id] },
      { roster, startTime: at(6), endTime: at(8), scheduleIds: [a.id, b.id, c.id] },
      { roster, startTime: at(8), endTime: at(9), scheduleIds: [b.id, c.id] },
    ]);
  });

  it('counts the hours of people: elapsed, by night, on weekends, and their share', async () => {
    const roster = newRoster();
    // 1 June 2026 is a Monday.
    await shift(roster, ada, 0, 7 * 24);
    await shift(roster, grace, 7 * 24, 8 * 24);
    await shift(roster, ada, 6 * 24, 7 * 24);
    const load = await list('/load', { from: at(0), to: at(8 * 24), roster });
    expect(load).toEqual([
      { roster, person: ada, hours: 168, nightHours: 56, weekendHours: 48, shifts: 2, share: 0.875 },
      { roster, person: grace, hours: 24, nightHours: 8, weekendHours: 0, shifts: 1, share: 0.125 },
    ]);
    expect(await list('/load', { from: at(0), to: at(8 * 24), roster, personId: grace.id })).toEqual([load[1]]);
    const [shifted] = await list('/load', { from: at(0), to: at(24), roster, timeZone: 'Asia/Kolkata' });
    expect(shifted).toMatchObject({ hours: 24, nightHours: 8, weekendHours: 0 });
    // The Sunday in Auckland ends at noon in UTC.
    const [early] = await list('/load', { from: at(144), to: at(168), roster, timeZone: 'Pacific/Auckland' });
    expect(early).toMatchObject({ hours: 24, weekendHours: 12 });
  });

  it.each([
    ['Europe/Paris', '2026-03-29', 7, 47],
    ['Europe/Paris', '2026-10-25', 9, 49],
    ['America/New_York', '2026-03-08', 7, 47],
    ['America/New_York', '2026-11-01', 9, 49],
    ['Australia/Lord_Howe', '2026-04-05', 8.5, 48.5],
    ['Australia/Lord_Howe', '2026-10-04', 7.5, 47.5],
  ])(
    'counts the nights and weekends of %s at its change of the clocks on %s',
    async (timeZone, sunday, night, weekend) => {
      const roster = newRoster();
      await admin.make('/api/on-call-schedules', { name: roster, personId: ada.id });
      const [bounds] = await service.database.db.query<{ from: string; to: string; start: string; end: string }>(
        sql`SELECT to_json((day - 1 + time '22:00') AT TIME ZONE zone)#>>'{}' AS from, to_json((day + time '06:00') AT TIME ZONE zone)#>>'{}' AS to,
            to_json((day - 2 + time '12:00') AT TIME ZONE zone)#>>'{}' AS start, to_json((day + 1 + time '12:00') AT TIME ZONE zone)#>>'{}' AS end
          FROM (VALUES (${sunday}::date, ${timeZone})) given (day, zone)`,
      );
      const { from, to, start, end } = bounds!;
      expect(await list('/load', { from, to, roster, timeZone })).toMatchObject([{ hours: night, nightHours: night }]);
      expect(await list('/load', { from: start, to: end, roster, timeZone })).toMatchObject([
        { weekendHours: weekend },
      ]);
    },
  );

  it('is now and the 30 days after it by default', async () => {
    const roster = newRoster();
    await admin.make('/api/on-call-schedules', { name: roster, personId: ada.id });
    const before = Date.now();
    const [whole] = await list('/shifts', { roster });
    expect(Math.abs(Date.parse(whole.startTime) - before)).toBeLessThan(60_000);
    expect(Date.parse(whole.endTime) - Date.parse(whole.startTime)).toBe(30 * 86_400_000);
    const [from] = await list('/shifts', { roster, from: '2026-03-01' });
    expect([from.startTime, from.endTime]).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-31T00:00:00.000Z']);
  });

  it.each([
    ['ends as it starts', 'shifts', 'from=2026-03-01&to=2026-03-01', ['to']],
    ['is longer than 366 days', 'gaps', 'from=2026-03-01&to=2027-03-02T00:00:00.001Z', ['to']],
    ['has no such parameter', 'gaps', `personId=${randomUUID()}`, ['personId']],
    ['has no such time zone', 'load', 'timeZone=Mars/Olympus', ['timeZone']],
    ['has an offset for a time zone', 'load', 'timeZone=%2B05:00', ['timeZone']],
    ['has several faults', 'load', 'from=x&to=y&personId=z&page=0', ['from', 'to', 'personId', 'page']],
  ])('is refused if it %s', async (_, path, query, fields) => {
    expect(faultsOf(await admin.get(`/api/on-call/${path}?${query}`))).toEqual([400, fields]);
  });

  it('may be 366 days long', async () => {
    expect((await admin.get('/api/on-call/gaps?from=2026-03-01&to=2027-03-02')).status).toBe(200);
  });
});

describe('somebody who is inactive', () => {
  const leave = (who: Person, by = admin): Promise<Answer> => by.patch(`/api/people/${who.id}`, { status: 'inactive' });
  const window = (roster: string) => ({ from: at(0), to: at(24), roster });

  it('covers nothing, and every response says so', async () => {
    const roster = newRoster();
    const [left, stays] = [await person('Left'), await person('Stays')];
    const first = await shift(roster, left, 0, 8);
    await shift(roster, stays, 6, 16);
    await shift(roster, null, 7, 18);
    const last = await shift(roster, left, 12, 20);
    const before = new Date().toISOString();
    await leave(left);
    const gone = { ...left, status: 'inactive' };
    expect(await list('', { at: at(1), roster })).toMatchObject([
      { scheduleId: first.id, person: gone, next: { person: stays } },
    ]);
    expect(await list('', { at: at(1), roster, asOf: before })).toMatchObject([{ person: left }]);
    expect((await list('/shifts', window(roster))).map((entry) => entry.person?.status ?? null)).toEqual([
      'inactive',
      'active',
      null,
      'inactive',
    ]);
    expect(await list('/gaps', window(roster))).toEqual([
      { roster, startTime: at(0), endTime: at(6), reason: 'person_inactive' },
      { roster, startTime: at(16), endTime: at(20), reason: 'person_inactive' },
      { roster, startTime: at(20), endTime: at(24), reason: 'no_shift' },
    ]);
    expect(await list('/overlaps', window(roster))).toEqual([]);
    expect(await list('/load', window(roster))).toMatchObject([{ person: stays, hours: 10, shifts: 1, share: 1 }]);
    const conflicts = { startTime: at(14), endTime: at(22), targets: [], rosters: [roster] };
    expect((await admin.post('/api/conflicts', conflicts)).body.data).toMatchObject([
      { kind: 'on_call_gap', from: at(16), to: at(22), roster },
    ]);
    // A person who returns covers again.
    await admin.patch(`/api/people/${left.id}`, { status: 'on_leave' });
    expect(await list('/gaps', window(roster))).toMatchObject([{ startTime: at(20), reason: 'no_shift' }]);
    expect((await list('/overlaps', window(roster))).at(-1).scheduleIds).toContain(last.id);
  });

  it('is named with the shifts ahead in a header of the PATCH, to those who may read them', async () => {
    const soon = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    const left = await person('Busy');
    const roster = newRoster();
    const shifts = [];
    for (const [from, to] of [
      [-9, -1],
      [-1, 1],
      [1, 2],
      [2, null],
    ] as const) {
      shifts.push(
        await admin.make('/api/on-call-schedules', {
          name: roster,
          personId: left.id,
          startTime: soon(from),
          endTime: to === null ? null : soon(to),
        }),
      );
    }
    expect((await admin.patch(`/api/people/${left.id}`, { status: 'on_leave' })).headers.get('link')).toBeNull();
    const { status, headers, body } = await leave(left);
    expect([status, body]).toEqual([200, (await admin.get(`/api/people/${left.id}`)).body]);
    expect(headers.get('link')!.split(', ')).toEqual([
      `</api/on-call/shifts?personId=${left.id}>; rel="related"; title="3 shifts ahead"`,
      ...shifts.slice(1).map(({ id }) => `</api/on-call-schedules/${id}>; rel="related"`),
    ]);
    const outsider = await service.as('editor', ['people']);
    expect((await leave(left, outsider)).headers.get('link')).toBeNull();
    expect((await leave(await person('Free'))).headers.get('link')).toBeNull();
    for (let n = 0; n < 30; n++) await shift(roster, left, 24 * (365 + n), null);
    expect((await leave(left)).headers.get('link')!.split(', ')).toHaveLength(21);
  });
});
