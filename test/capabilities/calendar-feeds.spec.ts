import { createHash, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import ICAL from 'ical.js';
import nodeIcal, { type VEvent } from 'node-ical';
import type { Area, Role } from '../../src/access/access.js';
import { calendarEnd, calendarStart, folded } from '../../src/calendar/icalendar.js';
import { DATED_KINDS, EXPIRATIONS, type DatedKind } from '../../src/procurement/expiration/expiration-kinds.js';
import { createLogger } from '../../src/http/server/logger.js';
import { Api, startService, type Answer, type TestService } from '../support/app.js';
import { itInFull } from '../support/size.js';
import type { Json } from '../support/document.js';
import { scansDuring } from '../support/scans.js';
import { sql } from '../../src/database/sql.js';

const PASSWORD = 'correct horse battery staple';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let service: TestService;
let admin: Api;
let log = '';
// Trusts a proxy, so that a test can use any client address.
beforeAll(async () => {
  const to = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  service = await startService({ TRUST_PROXY: 'true' }, [], createLogger('trace', to));
  admin = await service.as('admin');
});
afterAll(() => service.stop());

interface Member {
  id: string;
  email: string;
  api: Api;
}

async function member(role: Role = 'viewer', areas: Area[] = ['operations']): Promise<Member> {
  const email = `${randomUUID()}@example.com`;
  const { id } = await admin.make('/api/profiles', { email, password: PASSWORD, role, areas });
  const { headers } = await service.anonymous.post('/api/auth/login', { email, password: PASSWORD });
  return { id, email, api: new Api(service.url, /^session=([^;]*)/.exec(headers.get('set-cookie')!)![1]!) };
}

const feeds = '/api/calendar-feeds';
const at = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();
const whole = (time: string): string => `${time.slice(0, 19)}Z`;
const dayAt = (days: number): string => at(days * DAY).slice(0, 10);

/** Creates a feed. Tests use different rosters, so that they do not affect each other. */
const subscribe = async (body: object, api = admin): Promise<string> =>
  (await api.make(feeds, { name: 'Feed', ...body })).url;
const statusOf = async (url: string): Promise<number> => (await service.anonymous.get(url)).status;

interface Event {
  uid: string;
  sequence: number;
  status: string;
  summary: string;
  description: string | null;
  start: string;
  end: string;
  stamp: string;
}

/** The events of a calendar, read by two other programs. */
function parsed({ status, text }: Answer): Event[] {
  expect(status).toBe(200);
  assertWellFormed(text);
  const events = parsedByThunderbird(text);
  // node-ical reads an escaped backslash before an n as a line break.
  const misread = (value: string | null): string | null => value?.replaceAll(String.raw`\n`, '\\\n') ?? null;
  expect(parsedByDashboards(text)).toEqual(events.map((event) => ({ ...event, summary: misread(event.summary) })));
  return events;
}

/** With node-ical, which dashboards use and which shares no code with ical.js. */
function parsedByDashboards(text: string): Event[] {
  const iso = (time: Date): string => time.toISOString().replace('.000Z', 'Z');
  // A whole day is midnight in the time zone of the process.
  const dayOf = (time: Date): string =>
    [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
  const timeOf = (time: VEvent['start']): string => (time.dateOnly ? dayOf(time) : iso(time));
  return Object.values(nodeIcal.sync.parseICS(text))
    .filter((component): component is VEvent => component?.type === 'VEVENT')
    .map((event) => ({
      uid: event.uid,
      sequence: Number(event.sequence),
      status: String(event.status),
      summary: String(event.summary),
      description: (event.description as string | undefined) ?? null,
      start: timeOf(event.start),
      end: timeOf(event.end!),
      stamp: iso(event.dtstamp),
    }));
}

function parsedByThunderbird(text: string): Event[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const value = (name: string): string => String(component.getFirstPropertyValue(name));
    return {
      uid: event.uid,
      sequence: event.sequence,
      status: value('status'),
      summary: event.summary,
      description: event.description,
      start: value('dtstart'),
      end: value('dtend'),
      stamp: value('dtstamp'),
    };
  });
}
const eventsOf = async (url: string): Promise<Event[]> => parsed(await service.anonymous.get(url));
const eventOf = async (url: string, id: string): Promise<Event | undefined> =>
  (await eventsOf(url)).find(({ uid }) => uid.endsWith(id));

/** The rules of RFC 5545 for content lines. */
function assertWellFormed(text: string): void {
  expect(text.endsWith('\r\n')).toBe(true);
  const lines = text.slice(0, -2).split('\r\n');
  for (const line of lines) {
    expect(line).not.toMatch(/[\r\n]/);
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    // A split character would appear as a replacement character.
    expect(line).not.toContain('\u{FFFD}');
    expect(line).toMatch(/^(?: |[A-Z-]+(?:;[A-Z]+=[A-Z]+)?:)/);
  }
  expect(lines.slice(0, 2)).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0']);
  expect(lines.at(-1)).toBe('END:VCALENDAR');
  expect(text).toMatch(/\r\nREFRESH-INTERVAL;VALUE=DURATION:PT\d+H\r\n/);
}

describe('a feed', () => {
  it('shows its address once, and stores only the hash of the secret in it', async () => {
    const owner = await member();
    const person = await admin.make('/api/people', { fullName: 'Ada Lovelace' });
    const body = { name: 'Mine', kind: 'on-call', roster: 'Network', personId: person.id };
    const answer = await owner.api.post(feeds, body);
    expect(answer.status).toBe(201);
    const { url, ...record } = answer.body.data;
    expect(record).toEqual({
      id: expect.any(String),
      ...body,
      profileId: owner.id,
      profileEmail: owner.email,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(answer.headers.get('location')).toBe(`${feeds}/${record.id}`);
    expect(url).toMatch(/^\/calendar\/[0-9A-Za-z]{43}\.ics$/);
    const read = await owner.api.get(`${feeds}/${record.id}`);
    expect(read.body.data).toEqual(record);
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
    const secret = url.slice('/calendar/'.length, -'.ics'.length);
    const [stored] = await service.database.db.query<{ hash: Buffer; row: string }>(
      sql`SELECT secret_hash AS hash, t::text AS row FROM calendar_feeds t WHERE id = ${record.id}`,
    );
    expect(stored!.hash).toEqual(createHash('sha256').update(secret).digest());
    expect(stored!.row).not.toContain(secret);
    expect((await admin.get(`${feeds}/${record.id}/changes`)).text).toContain('(withheld)');
  });

  it('has an absolute address where the public address is configured', async () => {
    const other = await service.beside({ PUBLIC_URL: 'https://inventory.example.com/here' });
    try {
      const api = await other.as('viewer');
      const { url } = await api.make(feeds, { name: 'x', kind: 'expirations' });
      expect(url).toMatch(/^https:\/\/inventory\.example\.com\/here\/calendar\/[0-9A-Za-z]{43}\.ics$/);
    } finally {
      await other.stop();
    }
  });

  it('belongs to its owner; administrators see, rename and delete those of everybody', async () => {
    const [owner, other] = [await member(), await member()];
    const { id, url } = await owner.api.make(feeds, { name: 'Mine', kind: 'changes' });
    const path = `${feeds}/${id}`;
    expect((await other.api.get(feeds)).body.total).toBe(0);
    expect((await owner.api.get(feeds)).body.data.map((one: Json) => one.id)).toEqual([id]);
    for (const answer of [other.api.get(path), other.api.patch(path, { name: 'x' }), other.api.delete(path)])
      expect((await answer).status).toBe(404);
    expect((await owner.api.patch(path, { name: 'Ours' })).body.data.name).toBe('Ours');
    expect((await owner.api.patch(path, { kind: 'maintenance', roster: 'x' })).body.data.kind).toBe('changes');
    expect((await admin.patch(path, { name: 'Theirs' })).status).toBe(200);
    expect((await service.anonymous.get(url)).text).toContain('\r\nNAME:Theirs\r\n');
    expect((await admin.delete(path)).status).toBe(204);
    expect(await statusOf(url)).toBe(404);
  });

  it('refuses everything that is wrong with it at once', async () => {
    const fields = async (body: object): Promise<string[]> => {
      const answer = await admin.post(feeds, body);
      expect(answer.status).toBe(400);
      return answer.body.details.map(({ field }: Json) => field).toSorted();
    };
    expect(await fields({})).toEqual(['kind', 'name']);
    expect(await fields({ name: 'x', kind: 'holidays' })).toEqual(['kind']);
    for (const kind of ['maintenance', 'changes', 'expirations'])
      expect(await fields({ name: 'x', kind, roster: 'x', personId: randomUUID() })).toEqual(['personId', 'roster']);
    expect(await fields({ name: 'x', kind: 'on-call', personId: randomUUID() })).toEqual(['personId']);
    expect(await fields({ name: 'x', kind: 'on-call', url: 'x', secretHash: 'x' })).toEqual(['secretHash', 'url']);
  });

  it('is not made with a token, nor by somebody who may not read what is in it', async () => {
    const outsider = await member('admin', ['network']);
    expect((await outsider.api.post(feeds, { name: 'x', kind: 'on-call' })).status).toBe(403);
    expect((await outsider.api.post(feeds, { name: 'x', kind: 'expirations' })).status).toBe(201);
    const { token } = await admin.make('/api/tokens', { name: 'x' });
    const withToken = new Api(service.url, undefined, token);
    expect((await withToken.post(feeds, { name: 'x', kind: 'expirations' })).status).toBe(403);
    expect((await withToken.get(feeds)).status).toBe(200);
  });
});

itInFull('a profile has at most 100 feeds', async () => {
  const owner = await member();
  const create = (): Promise<Answer> => owner.api.post(feeds, { name: 'x', kind: 'changes' });
  for (let n = 0; n < 99; n++) expect((await create()).status).toBe(201);
  const last = await Promise.all([create(), create(), create()]);
  expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  const refused = await create();
  expect(refused.body.error).toBe('profileId already has 100 calendar feeds, the maximum. Delete one first');
  const [{ id }] = (await owner.api.get(feeds)).body.data;
  await owner.api.delete(`${feeds}/${id}`);
  expect((await create()).status).toBe(201);
});

describe('a long calendar', () => {
  itInFull('is made in parts, has all of its events, and its ETag without them', async () => {
    const owner = await member('viewer', []);
    const name = 'x'.repeat(200);
    await service.database.db.query(
      sql`INSERT INTO contracts (name, status, end_date)
       SELECT ${name} || n, 'active', (now() AT TIME ZONE 'UTC')::date + n % 300 FROM generate_series(1, 5000) n`,
    );
    const url = await subscribe({ kind: 'expirations' }, owner.api);
    const { text, headers } = await service.anonymous.get(url);
    expect(text.startsWith('BEGIN:VCALENDAR\r\n') && text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(text.length).toBeGreaterThan(1_500_000);
    expect(text.split('BEGIN:VEVENT').length - 1).toBeGreaterThanOrEqual(5000);
    expect(headers.has('content-length')).toBe(false);
    const stream = jest.spyOn(service.database.db, 'stream');
    expect((await service.anonymous.get(url, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
    expect(stream).not.toHaveBeenCalled();
    stream.mockRestore();
    await service.database.db.query(sql`DELETE FROM contracts WHERE name LIKE ${name} || '%'`);
  });
});

describe('reading a calendar', () => {
  it('needs no session, and the rights that its owner has at that moment', async () => {
    const { id, api } = await member();
    const kinds = ['on-call', 'maintenance', 'changes', 'expirations'];
    const urls = await Promise.all(kinds.map((kind) => subscribe({ kind }, api)));
    const statuses = (): Promise<number[]> => Promise.all(urls.map(statusOf));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    const profile = (body: object): Promise<Answer> => admin.patch(`/api/profiles/${id}`, body);
    await profile({ areas: ['network', 'procurement'] });
    expect(await statuses()).toEqual([404, 404, 404, 200]);
    await profile({ areas: ['operations'] });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await profile({ isActive: false });
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    await profile({ isActive: true });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await admin.delete(`/api/profiles/${id}`);
    expect(await statuses()).toEqual([404, 404, 404, 404]);
  });

  it('responds with 304 while nothing has changed', async () => {
    const roster = randomUUID();
    const url = await subscribe({ kind: 'on-call', roster });
    await admin.make('/api/on-call-schedules', { name: 'Open', rotation: roster, startTime: at(-HOUR) });
    const first = await service.anonymous.get(url);
    expect(first.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const etag = first.headers.get('etag')!;
    const again = await service.anonymous.get(url, { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    await admin.make('/api/on-call-schedules', { name: 'More', rotation: roster, startTime: at(0), endTime: at(HOUR) });
    const changed = await service.anonymous.get(url, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it.each(['x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}-`, encodeURIComponent(`${'A'.repeat(42)}é`)])(
    'looks up no secret of another form: %s',
    async (secret) => {
      const lookUps = (guess: string): Promise<number> =>
        scansDuring(service.database, ['calendar_feeds'], async () =>
          expect(await statusOf(`/calendar/${guess}.ics`)).toBe(404),
        );
      expect(await lookUps(secret)).toBe(0);
    },
  );

  it('leaves no secret in the log', async () => {
    const url = await subscribe({ kind: 'changes' });
    const secret = url.slice('/calendar/'.length, -'.ics'.length);
    const spellings = [
      url,
      `/%63alendar/${secret}.ics`,
      `${url}?x=1`,
      `${url}x`,
      `//calendar/${secret}.ics`,
      `/x/${secret}`,
    ];
    for (const spelling of spellings) await service.anonymous.get(spelling);
    await service.anonymous.post(url, {});
    expect(log).toContain('"url":"/calendar/***"');
    expect(log).not.toContain(secret);
  });
});

describe('the events', () => {
  it('are the shifts of a roster or a person, in UTC across a change to summer time', async () => {
    const roster = randomUUID();
    const [ada, grace] = await Promise.all(
      ['Ada', 'Grace'].map((fullName) =>
        admin.make('/api/people', { fullName, email: `${fullName}-${roster}@example.com` }),
      ),
    );
    const year = new Date().getUTCFullYear() + 1;
    const wall = (day: string): string => `${year}-${day}T09:00:00`;
    const made = await admin.make('/api/on-call-schedules/rotation', {
      name: 'Primary',
      rotation: roster,
      personIds: [ada!.id, grace!.id],
      startTime: wall('03-20'),
      until: wall('04-03'),
      timeZone: 'Europe/Paris',
      unit: 'week',
    });
    const url = await subscribe({ kind: 'on-call', roster });
    const events = await eventsOf(url);
    expect(events.map(({ start, end, summary }) => [start, end, summary])).toEqual([
      [`${year}-03-20T08:00:00Z`, expect.any(String), 'Primary: Ada'],
      [events[0]!.end, `${year}-04-03T07:00:00Z`, 'Primary: Grace'],
    ]);
    expect(events[0]!.end).toMatch(/T0[78]:00:00Z$/);
    expect(events.map(({ uid }) => uid)).toEqual(made.shifts.map(({ id }: Json) => `shift-${id}`));
    expect(events[0]!.description).toBe(`Roster: ${roster}\nAda-${roster}@example.com`);
    const hers = await subscribe({ kind: 'on-call', personId: grace!.id });
    expect((await eventsOf(hers)).map(({ summary }) => summary)).toEqual(['Primary: Grace']);
    await admin.patch(`/api/people/${grace!.id}`, { status: 'inactive' });
    expect((await eventsOf(hers)).map(({ summary }) => summary)).toEqual(['Primary: Grace (inactive)']);
    expect(await eventsOf(await subscribe({ kind: 'on-call', roster: 'another', personId: grace!.id }))).toEqual([]);
  });

  it('are maintenance windows, and changes of 60 minutes; cancelled ones are so', async () => {
    const windows = await subscribe({ kind: 'maintenance' });
    const changes = await subscribe({ kind: 'changes' });
    const [startTime, endTime] = [whole(at(DAY)), whole(at(DAY + HOUR))];
    const window = await admin.make('/api/maintenance-windows', { name: 'Upgrade', startTime, endTime });
    const change = await admin.make('/api/change-requests', {
      name: 'Swap',
      scheduledFor: startTime,
      status: 'approved',
    });
    for (const [url, { id }, path] of [
      [windows, window, '/api/maintenance-windows'],
      [changes, change, '/api/change-requests'],
    ] as const) {
      const planned = await eventOf(url, id);
      expect(planned).toMatchObject({ start: startTime, end: endTime, status: 'CONFIRMED', sequence: 0 });
      await admin.patch(`${path}/${id}`, { status: 'cancelled' });
      const cancelled = await eventOf(url, id);
      expect(cancelled).toMatchObject({ uid: planned!.uid, start: startTime, status: 'CANCELLED', sequence: 1 });
    }
    await admin.make('/api/change-requests', { name: 'Some day' });
    await admin.make('/api/maintenance-windows', { name: 'Some day' });
    for (const url of [windows, changes])
      expect((await eventsOf(url)).map(({ summary }) => summary)).not.toContain('Some day');
  });

  it('are as long as what they show, to the second, and never empty', async () => {
    const second = whole(at(DAY)).slice(0, 19);
    const after = (milliseconds: number): string =>
      whole(new Date(Date.parse(`${second}Z`) + milliseconds).toISOString());
    const change = { name: 'Swap', scheduledFor: `${second}.250Z`, status: 'approved' };
    const { id } = await admin.make('/api/change-requests', change);
    const start = `${second}Z`;
    expect(await eventOf(await subscribe({ kind: 'changes' }), id)).toMatchObject({ start, end: after(HOUR) });
    const windows = await subscribe({ kind: 'maintenance' });
    const times = { startTime: `${second}.250Z`, endTime: `${second}.750Z` };
    const short = await admin.make('/api/maintenance-windows', { name: 'Short', ...times });
    expect(await eventOf(windows, short.id)).toMatchObject({ start, end: after(1000) });
  });

  it('are whole days of what expires', async () => {
    const url = await subscribe({ kind: 'expirations' }, (await member('viewer', [])).api);
    const vendor = await admin.make('/api/vendors', { name: 'Acme' });
    const [noticeDate, endDate] = [dayAt(10), dayAt(40)];
    const contract = await admin.make('/api/contracts', { name: 'Lines', noticeDate, endDate, vendorId: vendor.id });
    const events = (await eventsOf(url)).filter(({ uid }) => uid.endsWith(contract.id));
    expect(events).toEqual([
      expect.objectContaining({
        start: noticeDate,
        end: dayAt(11),
        summary: 'Contract: last day to give notice: Lines',
      }),
      expect.objectContaining({ start: endDate, end: dayAt(41), description: 'Vendor: Acme' }),
    ]);
    const { text } = await service.anonymous.get(url);
    expect(text).toContain(`\r\nDTSTART;VALUE=DATE:${noticeDate.replaceAll('-', '')}\r\n`);
    // Lists of expirations do not show settled records.
    await admin.patch(`/api/contracts/${contract.id}`, { status: 'terminated' });
    const settled = (await eventsOf(url)).filter(({ uid }) => uid.endsWith(contract.id));
    expect(settled.map(({ status, sequence }) => [status, sequence])).toEqual([
      ['CANCELLED', 1],
      ['CANCELLED', 1],
    ]);
  });

  it('are bookings, with who has them and for what', async () => {
    const url = await subscribe({ kind: 'bookings' }, (await member('viewer', [])).api);
    const [{ id: assetId }, { id: personId }] = [
      await admin.make('/api/assets', { name: 'Projector' }),
      await admin.make('/api/people', { fullName: 'Ada' }),
    ];
    const [startTime, endTime] = [`${dayAt(3)}T09:00:00.000Z`, `${dayAt(3)}T17:00:00.000Z`];
    const body = { assetId, personId, startTime, endTime, purpose: 'Talk' };
    const { id } = await admin.make('/api/bookings', body);
    expect(await eventOf(url, id)).toMatchObject({
      start: `${dayAt(3)}T09:00:00Z`,
      end: `${dayAt(3)}T17:00:00Z`,
      summary: 'Projector: Ada',
      status: 'CONFIRMED',
      description: expect.stringContaining('Purpose: Talk'),
    });
    await admin.post(`/api/bookings/${id}/cancel`);
    expect(await eventOf(url, id)).toMatchObject({ status: 'CANCELLED', sequence: 1 });
  });

  it('say for every kind of expiration what happens', async () => {
    const items = [{ name: 'A', quantity: 1 }];
    const [date, status] = [dayAt(20), 'ordered'];
    const records: Record<DatedKind, [path: string, body: object]> = {
      licence: ['software-licences', { name: 'Each', expiryDate: date }],
      contract: ['contracts', { name: 'Each', endDate: date }],
      notice: ['contracts', { name: 'Each', noticeDate: date }],
      renewal: ['renewals', { name: 'Each', renewalDate: date }],
      warranty: ['assets', { name: 'Each', warrantyUntil: `${date}T12:00:00.000Z` }],
      delivery: ['purchase-orders', { orderNumber: 'Each', expectedDate: date, status, items }],
    };
    const url = await subscribe({ kind: 'expirations' }, (await member('viewer', [])).api);
    for (const kind of DATED_KINDS) {
      const [path, body] = records[kind];
      const { id } = await admin.make(`/api/${path}`, body);
      const event = (await eventsOf(url)).find(({ uid }) => uid.endsWith(id));
      expect([kind, event?.start, event?.summary]).toEqual([kind, date, `${EXPIRATIONS[kind].event}: Each`]);
    }
  });

  it('are those from 30 days back to 366 ahead; an open shift ends with that', async () => {
    const rotation = randomUUID();
    const shift = (name: string, from: number | null, to: number | null): Promise<Json> =>
      admin.make('/api/on-call-schedules', {
        name,
        rotation,
        startTime: from === null ? null : at(from),
        endTime: to === null ? null : at(to),
      });
    await shift('past', -33 * DAY, -31.1 * DAY);
    await shift('first', -33 * DAY, -30 * DAY + HOUR);
    await shift('last', 366 * DAY - HOUR, 368 * DAY);
    await shift('future', 367.1 * DAY, 368 * DAY);
    await shift('open', 0, null);
    const events = await eventsOf(await subscribe({ kind: 'on-call', roster: rotation }));
    expect(events.map(({ summary }) => summary.split(':')[0])).toEqual(['first', 'open', 'last']);
    expect(events[1]!.end).toBe(`${dayAt(367)}T00:00:00Z`);
    expect(events[0]!.start).toBe(whole(at(-33 * DAY)).slice(0, 17) + events[0]!.start.slice(17));
  });

  it('keep their UID when they move, with a higher SEQUENCE', async () => {
    const url = await subscribe({ kind: 'maintenance' });
    const { id } = await admin.make('/api/maintenance-windows', {
      name: 'W',
      startTime: at(DAY),
      endTime: at(2 * DAY),
    });
    const before = await eventOf(url, id);
    expect(before!.sequence).toBe(0);
    expect(await eventOf(url, id)).toEqual(before);
    await admin.patch(`/api/maintenance-windows/${id}`, { startTime: whole(at(DAY + HOUR)) });
    const after = await eventOf(url, id);
    expect(after).toMatchObject({ uid: before!.uid, sequence: 1, end: before!.end });
    expect(after!.start).not.toBe(before!.start);
    // Changes that the event does not show, such as targets, do not count as changes of the event.
    await admin.patch(`/api/maintenance-windows/${id}`, { name: 'W' });
    expect((await eventOf(url, id))!.sequence).toBe(1);
  });

  it('stay as cancelled when they are removed, and come back with a higher SEQUENCE', async () => {
    const url = await subscribe({ kind: 'changes' });
    const { id } = await admin.make('/api/change-requests', { name: 'C', scheduledFor: at(DAY) });
    const before = await eventOf(url, id);
    expect(before!.status).toBe('TENTATIVE');
    await admin.delete(`/api/change-requests/${id}`);
    const removed = await eventOf(url, id);
    expect(removed).toEqual({ ...before, status: 'CANCELLED', sequence: 1, stamp: expect.any(String) });
    expect(await eventOf(url, id)).toEqual(removed);
    await admin.post(`/api/change-requests/${id}/restore`);
    expect(await eventOf(url, id)).toMatchObject({ status: 'TENTATIVE', sequence: 2, start: before!.start });
    await admin.patch(`/api/change-requests/${id}`, { scheduledFor: null });
    expect(await eventOf(url, id)).toMatchObject({ status: 'CANCELLED', sequence: 3, start: before!.start });
  });

  it('are cancelled also if they were removed before the first reading', async () => {
    const { id } = await admin.make('/api/change-requests', { name: 'C', scheduledFor: at(DAY) });
    const url = await subscribe({ kind: 'changes' });
    await admin.delete(`/api/change-requests/${id}`);
    expect(await eventOf(url, id)).toMatchObject({ status: 'CANCELLED', sequence: 1 });
  });

  it('are cancelled for the person who has given a shift away', async () => {
    const [ada, grace] = await Promise.all(['Ada', 'Grace'].map((fullName) => admin.make('/api/people', { fullName })));
    const { id } = await admin.make('/api/on-call-schedules', {
      name: 'Primary',
      personId: ada!.id,
      startTime: at(DAY),
      endTime: at(2 * DAY),
    });
    const [hers, others] = [
      await subscribe({ kind: 'on-call', personId: ada!.id }),
      await subscribe({ kind: 'on-call', personId: grace!.id }),
    ];
    expect((await eventOf(hers, id))!.status).toBe('CONFIRMED');
    await admin.patch(`/api/on-call-schedules/${id}`, { personId: grace!.id });
    expect(await eventOf(hers, id)).toMatchObject({ status: 'CANCELLED', sequence: 1 });
    expect(await eventOf(others, id)).toMatchObject({ status: 'CONFIRMED', sequence: 0 });
    // The feed of a deleted person does not show the shifts of others.
    await admin.delete(`/api/people/${grace!.id}`);
    expect((await eventsOf(others)).map(({ status }) => status)).toEqual(['CANCELLED']);
  });

  it('are kept once for all feeds, and only what has changed is written', async () => {
    const { db } = service.database;
    const written = async (): Promise<string> => {
      const [row] = await db.query(
        sql`SELECT count(*), sum(xmin::text::bigint) FROM calendar_events WHERE kind = 'expirations'`,
      );
      return JSON.stringify(row);
    };
    const { api } = await member('viewer', []);
    const { id } = await admin.make('/api/contracts', { name: 'Once', endDate: dayAt(30) });
    const first = await subscribe({ kind: 'expirations' }, api);
    const before = await written();
    const others: string[] = [];
    for (let n = 0; n < 13; n++) others.push(await subscribe({ kind: 'expirations' }, api));
    for (const url of [first, ...others]) expect(await eventOf(url, id)).toMatchObject({ sequence: 0 });
    expect(await written()).toBe(before);
    await admin.delete(`/api/contracts/${id}`);
    for (const url of [first, ...others]) {
      expect(await eventOf(url, id)).toMatchObject({ status: 'CANCELLED', sequence: 1 });
    }
    // A feed never has events that were removed before its creation.
    expect(await eventOf(await subscribe({ kind: 'expirations' }, api), id)).toBeUndefined();
  });

  it('never lower their SEQUENCE where a shift changes hands, and are one event for whoever sees all of them', async () => {
    const [ada, grace] = await Promise.all(['Ada', 'Grace'].map((fullName) => admin.make('/api/people', { fullName })));
    const rotation = randomUUID();
    const { id } = await admin.make('/api/on-call-schedules', {
      name: 'Primary',
      rotation,
      personId: ada!.id,
      startTime: at(DAY),
      endTime: at(2 * DAY),
    });
    const url = await subscribe({ kind: 'on-call', roster: rotation });
    const seen: number[] = [];
    for (const change of [{}, { personId: grace!.id }, { personId: ada!.id }, { personId: null }, { name: 'Other' }]) {
      await admin.patch(`/api/on-call-schedules/${id}`, change);
      const events = await eventsOf(url);
      expect(events).toHaveLength(1);
      seen.push(events[0]!.sequence);
    }
    expect(seen).toEqual([0, 1, 3, 4, 5]);
    await admin.patch(`/api/on-call-schedules/${id}`, { rotation: 'elsewhere' });
    expect(await eventsOf(url)).toMatchObject([{ status: 'CANCELLED', sequence: 6 }]);
  });

  it('raise their SEQUENCE once, however many read at the same time', async () => {
    const url = await subscribe({ kind: 'maintenance' });
    const { id } = await admin.make('/api/maintenance-windows', {
      name: 'W',
      startTime: at(DAY),
      endTime: at(2 * DAY),
    });
    await eventOf(url, id);
    await admin.patch(`/api/maintenance-windows/${id}`, { name: 'X' });
    const read = await Promise.all(Array.from({ length: 5 }, () => eventOf(url, id)));
    expect(read.map((event) => event!.sequence)).toEqual([1, 1, 1, 1, 1]);
  });

  it('write any text so that another program reads it', async () => {
    const url = await subscribe({ kind: 'maintenance', name: String.raw`A; B, C\D` });
    const name = String.raw`one; two, three\four\n "five": six`;
    const description = `${'ä'.repeat(100)}\n${'日本語'.repeat(40)}\r\n${'🛠️'.repeat(30)}\tend\rBEGIN:VEVENT\u0007`;
    const { id } = await admin.make('/api/maintenance-windows', {
      name,
      description,
      startTime: at(DAY),
      endTime: at(2 * DAY),
    });
    const event = await eventOf(url, id);
    expect(event!.summary).toBe(name);
    expect(event!.description).toBe(
      `Status: scheduled\n${description.replace('\r\n', '\n').replace('\r', '\n').replace('\u0007', '')}`,
    );
    expect((await service.anonymous.get(url)).text).toContain(String.raw`NAME:A\; B\, C\\D`);
  });
});

it('folds lines at 75 octets, wherever a character of several falls', () => {
  for (const character of ['a', 'ä', '日', '🛠']) {
    for (let before = 0; before < 80; before++) {
      const line = 'x'.repeat(before) + character.repeat(60);
      const pieces = folded(line).split('\r\n');
      expect(pieces.map((piece, index) => (index === 0 ? piece : piece.slice(1))).join('')).toBe(line);
      expect(pieces.slice(1).every((piece) => piece.startsWith(' '))).toBe(true);
      expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(75);
    }
  }
});

it('has a component even without events, as every calendar must', () => {
  const text = calendarStart('Nothing') + calendarEnd(true);
  assertWellFormed(text);
  expect(new ICAL.Component(ICAL.parse(text)).getAllSubcomponents()).toHaveLength(1);
});
