import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { startService, type Api, type TestService } from '../support/app.js';
import { inFull } from '../support/size.js';

// The responses are compared with a model that checks each minute separately.

let service: TestService;
let editor: Api;
let people: string[];
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor');
  people = [];
  for (const fullName of ['Ada', 'Grace']) people.push((await editor.make('/api/people', { fullName })).id as string);
});
afterAll(() => service.stop());

jest.setTimeout(300_000);

// oxlint-disable-next-line typescript/no-explicit-any -- entries have any shape
type Json = any;

/** A shift in minutes. */
interface Shift {
  start: number | null;
  end: number | null;
  /** Index of the person. */
  who: number | null;
}
interface StoredShift extends Shift {
  id: string;
}

const LENGTH = 30;
const MINUTES = Array.from({ length: LENGTH }, (_, minute) => minute);
// The window lies within the range of the shifts.
const timeOf = (minute: number): string => new Date(Date.UTC(2026, 2, 29, 0, minute)).toISOString();
const minuteOf = (time: string): number => (Date.parse(time) - Date.parse(timeOf(0))) / 60_000;
const edge = fc.option(fc.integer({ min: -5, max: LENGTH + 5 }), { freq: 8 });
const shift: fc.Arbitrary<Shift> = fc
  .record({ a: edge, b: edge, who: fc.option(fc.nat({ max: 1 }), { freq: 4 }) })
  .map(({ a, b, who }) =>
    a !== null && b !== null ? { start: Math.min(a, b), end: Math.max(a, b), who } : { start: a, end: b, who },
  );
const shifts = fc.array(shift, { minLength: 1, maxLength: 8 });

const covers = ({ start, end }: Shift, minute: number): boolean =>
  (start === null || start <= minute) && (end === null || minute < end);

async function store(roster: string, made: readonly Shift[]): Promise<StoredShift[]> {
  const operations = made.map(({ start, end, who }) => ({
    op: 'create',
    data: {
      name: 'Primary',
      rotation: roster,
      personId: who === null ? null : people[who],
      startTime: start === null ? null : timeOf(start),
      endTime: end === null ? null : timeOf(end),
    },
  }));
  const { body } = await editor.post('/api/on-call-schedules/bulk', { operations });
  return made.map((one, index) => ({ ...one, id: body.data.results[index].id }));
}

async function list(path: string, query: Record<string, string>): Promise<Json[]> {
  const { status, body } = await editor.get(`/api/on-call${path}?${new URLSearchParams(query)}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
}
const windowOf = (roster: string) => ({ roster, from: timeOf(0), to: timeOf(LENGTH) });

/** The value of the intervals at each minute of the window. An interval must lie within the window. */
function byMinute<T>(intervals: readonly Json[], said: (interval: Json) => T): T[][] {
  const minutes: T[][] = MINUTES.map(() => []);
  for (const interval of intervals) {
    const [start, end] = [minuteOf(interval.startTime), minuteOf(interval.endTime)];
    expect([start >= 0, end <= LENGTH, start < end]).toEqual([true, true, true]);
    for (let minute = start; minute < end; minute++) minutes[minute]!.push(said(interval));
  }
  return minutes;
}
const ids = (found: readonly StoredShift[]): string[] => found.map(({ id }) => id).toSorted();

const numRuns = Number(process.env.PROPERTY_RUNS ?? (inFull ? 40 : 8));

it('at every instant the response is that of the model', async () => {
  await fc.assert(
    fc.asyncProperty(shifts, async (made) => {
      const roster = randomUUID();
      const stored = await store(roster, made);
      const instants = new Set(MINUTES);
      for (const minute of instants) {
        const found = await list('', { roster, at: timeOf(minute) });
        const covering = stored.filter((one) => covers(one, minute));
        expect(found.map(({ scheduleId }) => scheduleId).toSorted()).toEqual(
          covering.length > 0 ? ids(covering) : [null],
        );
        const coming = stored.filter(({ start, end }) => start !== null && start > minute && start !== end);
        const soonest = Math.min(...coming.map(({ start }) => start!));
        for (const entry of found) {
          const known = stored.find(({ id }) => id === entry.scheduleId);
          expect(entry.person?.id ?? null).toBe(known?.who == null ? null : people[known.who]);
          expect(entry.next === null ? Infinity : minuteOf(entry.next.startTime)).toBe(soonest);
        }
      }
    }),
    { numRuns: Math.ceil(numRuns / 4), endOnFailure: true },
  );
});

it('shifts, gaps and overlaps are those of the model, and cover the window exactly', async () => {
  await fc.assert(
    fc.asyncProperty(shifts, async (made) => {
      const roster = randomUUID();
      const stored = await store(roster, made);
      const query = windowOf(roster);
      const [found, gaps, overlaps, load] = await Promise.all(
        ['/shifts', '/gaps', '/overlaps', '/load'].map((path) => list(path, query)),
      );
      const [ofShifts, ofGaps, ofOverlaps] = [
        byMinute(found!, ({ scheduleId }) => scheduleId as string),
        byMinute(gaps!, ({ reason }) => reason as string),
        byMinute(overlaps!, ({ scheduleIds }) => scheduleIds as string[]),
      ];
      // A roster whose shifts all ended long ago does not count. There are none here.
      for (const minute of MINUTES) {
        const covering = stored.filter((one) => covers(one, minute));
        const assigned = covering.filter(({ who }) => who !== null);
        expect(ofShifts[minute]!.toSorted()).toEqual(ids(covering));
        expect(ofGaps[minute]).toEqual(
          assigned.length > 0 ? [] : [covering.length > 0 ? 'nobody_assigned' : 'no_shift'],
        );
        expect(ofOverlaps[minute]!.map((set) => set.toSorted())).toEqual(assigned.length > 1 ? [ids(assigned)] : []);
      }
      // Adjacent intervals differ, so no interval is split.
      for (const { startTime, endTime, reason } of gaps!) {
        expect(gaps!.filter((gap) => gap.startTime === endTime && gap.reason === reason)).toEqual([]);
        expect(startTime).not.toBe(endTime);
      }
      const minutesOf = (who: number | null): number =>
        MINUTES.filter((minute) =>
          stored.some((one) => one.who !== null && (who === null || one.who === who) && covers(one, minute)),
        ).length;
      expect(load!.map(({ person }) => person.fullName)).toEqual(
        ['Ada', 'Grace'].filter((_, who) => minutesOf(who) > 0),
      );
      for (const { person, hours, share, shifts: count } of load!) {
        const who = people.indexOf(person.id);
        expect(hours).toBeCloseTo(minutesOf(who) / 60, 9);
        expect(share).toBeCloseTo(minutesOf(who) / minutesOf(null), 9);
        expect(count).toBe(
          stored.filter((one) => one.who === who && MINUTES.some((minute) => covers(one, minute))).length,
        );
      }
    }),
    { numRuns, endOnFailure: true },
  );
});

const command = fc.record({
  which: fc.nat(),
  who: fc.nat({ max: 1 }),
  from: fc.option(fc.nat({ max: LENGTH }), { freq: 8 }),
  to: fc.option(fc.nat({ max: LENGTH }), { freq: 8 }),
});

it('after any covers a roster has no gap and no overlap that it did not have before', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(shifts, fc.array(command, { minLength: 1, maxLength: 8 }), async (made, commands) => {
      const roster = randomUUID();
      const known = ids(await store(roster, made));
      const query = windowOf(roster);
      const gaps = byMinute(await list('/gaps', query), () => 'gap');
      const sizes = byMinute(await list('/shifts', query), () => 1);
      for (const { which, who, from, to } of commands) {
        const { status, body } = await editor.post(`/api/on-call-schedules/${known[which % known.length]}/cover`, {
          personId: people[who],
          startTime: from === null ? null : timeOf(from),
          endTime: to === null ? null : timeOf(to),
        });
        expect([200, 400]).toContain(status);
        if (status !== 200) continue;
        accepted++;
        for (const id of body.data.scheduleIds) if (!known.includes(id)) known.push(id);
      }
      for (const [minute, now] of byMinute(await list('/gaps', query), () => 'gap').entries()) {
        if (now.length > 0) expect(gaps[minute]).toEqual(['gap']);
      }
      expect(byMinute(await list('/shifts', query), () => 1)).toEqual(sizes);
    }),
    { numRuns, endOnFailure: true },
  );
  expect(accepted).toBeGreaterThan(0);
});
