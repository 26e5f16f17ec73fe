import type { Browser } from 'playwright-core';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { itInBrowser, launchBrowser } from '../support/browser.js';

let service: TestService;
let admin: Api;
let browser: Browser | undefined;
const HOSTILE = `<script>document.title='run'</script>&"'`;

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  const people: string[] = [];
  for (const fullName of ['Ada Lovelace', 'Grace Hopper', HOSTILE, 'Barbara Liskov-Wirth of the Long Name']) {
    people.push((await admin.make('/api/people', { fullName })).id as string);
  }
  const day = (date: number, hour = 0): string => new Date(Date.UTC(2026, 5, date, hour)).toISOString();
  const shifts: [string, number | null, string | null, string | null][] = [
    ['Network', 0, day(1), day(8, 9)],
    ['Network', 1, day(8, 9), day(15, 9)],
    ['Network', 2, day(14, 9), day(20)],
    ['Network', 3, day(22), null],
    ['Data centre', 3, null, day(10)],
    ['Data centre', null, day(10), day(17)],
    ['Data centre', 1, day(24), day(25)],
    [HOSTILE, 2, day(3), day(4, 2)],
    ['Storage and backups of all the sites that we have', 0, day(40), day(47)],
  ];
  for (const [rotation, who, startTime, endTime] of shifts) {
    const personId = who === null ? null : people[who];
    await admin.make('/api/on-call-schedules', { name: `${rotation} week`, rotation, personId, startTime, endTime });
  }
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const WINDOW = 'from=2026-06-01&to=2026-07-01';
const draw = (query = WINDOW, accept = '*/*'): Promise<Answer> => admin.get(`/api/on-call/shifts?${query}`, { accept });
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('the timeline', () => {
  it('has a row for each roster, a bar for each shift and the gaps', async () => {
    const { status, headers, text } = await draw(`${WINDOW}&format=svg`);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const { body: gaps } = await admin.get(`/api/on-call/gaps?${WINDOW}`);
    // The legend also has each kind of gap.
    const drawn = ['class="bar ', 'class="nobody"', 'class="gap"', 'class="pale"'].map((part) => count(text, part));
    expect([drawn, gaps.total]).toEqual([[7, 1, 3 + 1, 4 + 1], 7]);
    expect(text).toContain('>Ada Lovelace: Network week, Mon 2026-06-01 00:00 to Mon 2026-06-08 09:00 UTC</title>');
    expect(text).toContain('>Nobody assigned, Wed 2026-06-10 00:00 to Wed 2026-06-17 00:00 UTC</title>');
    expect(text).toContain('>No shift, Wed 2026-06-17 00:00 to Wed 2026-06-24 00:00 UTC</title>');
    expect(text).toContain('>Not planned, Thu 2026-06-25 00:00 to Wed 2026-07-01 00:00 UTC</title>');
    expect(text).toContain('>Times in UTC<');
    expect(text).not.toContain('class="now"');
  });

  it.each([
    ['2026-06-01T05:30Z', '2026-06-01T16:00Z', ['06:00', '07:00']],
    ['2026-06-01', '2026-06-04', ['Mon 06-01', '06:00', '12:00', '18:00', 'Tue 06-02', '06:00']],
    ['2026-06-01', '2026-06-15', ['Mon 06-01', 'Tue 06-02', 'Wed 06-03']],
    ['2026-06-01', '2026-07-01', ['Mon 06-01', 'Wed 06-03', 'Fri 06-05']],
    ['2026-06-03', '2026-09-01', ['Mon 06-08', 'Mon 06-15', 'Mon 06-22']],
    ['2026-06-10', '2027-06-10', ['2026-07', '2026-08']],
  ])('names its times: from %s to %s', async (from, to, expected) => {
    const { text } = await draw(`format=svg&roster=Network&from=${from}&to=${to}`);
    const names = [...text.matchAll(/<line class="tick"[^>]*><text class="faint time"[^>]*>([^<]*)/g)].map(
      ([, name]) => name,
    );
    expect(names.slice(0, expected.length)).toEqual(expected);
    expect(names.length).toBeLessThan(18);
  });

  it('marks the current time within its window', async () => {
    expect(count((await draw('format=svg&from=2000-01-01&to=2000-02-01')).text, 'class="now"')).toBe(0);
    const from = new Date(Date.now() - 86_400_000).toISOString();
    expect(count((await draw(`format=svg&from=${from}`)).text, 'class="now"')).toBe(1);
  });

  it('does not draw the current time across the name of another', async () => {
    const from = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const { text } = await draw(`format=svg&from=${from}`);
    const baseline = Number(/class="faint time" x="[\d.]+" y="(\d+)"/.exec(text)![1]);
    const line = /class="now" d="M([\d.]+) (\d+)V(\d+)M([\d.]+) (\d+)V(\d+)"/.exec(text)!.slice(1).map(Number);
    const [x, top, end, again, start, bottom] = line as [number, number, number, number, number, number];
    expect(again).toBe(x);
    // The names are 11 pixels high.
    expect([top < end, end <= baseline - 11, start > baseline, start < bottom]).toEqual([true, true, true, true]);
  });

  it('says in its legend what is pale, before the first shift of a roster too', async () => {
    const { text } = await draw('format=svg&roster=Network&from=2026-05-01&to=2026-06-10');
    expect(text).toContain('class="pale"');
    expect(text).toContain('>not planned<');
  });

  it('shows a gap of the next seven days in red, and a later one that nobody has planned yet pale', async () => {
    const [now, day] = [Date.now(), 86_400_000];
    const at = (days: number): string => new Date(now + days * day).toISOString();
    const { id: personId } = await admin.make('/api/people', { fullName: 'Ken Thompson' });
    const shift = (name: string, from: number, to: number): Promise<object> =>
      admin.make('/api/on-call-schedules', { name, personId, startTime: at(from), endTime: at(to) });
    await shift('ends soon', -1, 3);
    await shift('ends later', -1, 10);
    await shift('resumes', -1, 10);
    await shift('resumes', 35, 40);
    await shift('begins', 4, 30);
    /** The colours of a roster's gaps, with their lengths in days. */
    const gapsOf = async (roster: string): Promise<[string, number][]> => {
      const { text } = await draw(`format=svg&from=${at(0)}&to=${at(30)}&roster=${encodeURIComponent(roster)}`);
      const found = text.matchAll(
        /<title>(?:No shift|Not planned)[^<]*<\/title><rect class="(\w+)"[^>]* width="([\d.]+)"/g,
      );
      return [...found].map(([, kind, width]) => [kind!, Math.round((Number(width) / 968) * 30)]);
    };
    expect(await gapsOf('ends soon')).toEqual([
      ['gap', 4],
      ['pale', 23],
    ]);
    expect(await gapsOf('ends later')).toEqual([['pale', 20]]);
    // The shift that resumes is outside of the window.
    expect(await gapsOf('resumes')).toEqual([['gap', 20]]);
    expect(await gapsOf('begins')).toEqual([['gap', 4]]);
  });

  it('says who is inactive, and that the shift is not covered', async () => {
    const { id: personId } = await admin.make('/api/people', { fullName: 'Hedy Lamarr', status: 'inactive' });
    await admin.make('/api/on-call-schedules', {
      name: 'left',
      personId,
      startTime: '2026-06-01',
      endTime: '2026-06-20',
    });
    const { text } = await draw(`format=svg&${WINDOW}&roster=left`);
    expect([count(text, 'class="bar '), count(text, 'class="nobody"')]).toEqual([0, 1]);
    expect(text).toContain('>Hedy Lamarr (inactive)<');
    expect(text).toContain('>Person inactive, Mon 2026-06-01');
  });

  it('never gives neighbours the same colour, and sorts rosters as people count', async () => {
    const hours = (count_: number): string => new Date(Date.UTC(2026, 8, 1, count_)).toISOString();
    const people: string[] = [];
    for (let n = 0; n < 20; n++)
      people.push((await admin.make('/api/people', { fullName: `Person ${n}` })).id as string);
    const turns: object[] = [];
    for (const roster of ['Team 10', 'Team 3', 'team 20']) {
      // The shifts follow each other. The order of people has no pattern, and some shifts overlap.
      for (let n = 0; n < 60; n++) {
        const personId = people[(n * n * 7 + n) % people.length];
        turns.push({ name: roster, personId, startTime: hours(n * 8), endTime: hours(n * 8 + (n % 5 === 0 ? 30 : 8)) });
      }
    }
    for (const body of turns) await admin.make('/api/on-call-schedules', body);
    const { text } = await draw(`format=svg&from=2026-09-01&to=2026-09-21&roster=Team 10&roster=Team 3&roster=team 20`);
    expect([...text.matchAll(/class="name"[^>]*>(team \d+)</gi)].map(([, name]) => name)).toEqual([
      'Team 3',
      'Team 10',
      'team 20',
    ]);
    const bars = [
      ...text.matchAll(
        /<title>([^:<]*):[^<]*<\/title><rect class="bar c(\d)" x="([\d.]+)" y="(\d+)" width="([\d.]+)"/g,
      ),
    ].map(([, who, colour, ...box]) => ({
      who,
      colour,
      left: Number(box[0]),
      top: Number(box[1]),
      width: Number(box[2]),
    }));
    expect(bars).toHaveLength(turns.length);
    const touching = bars.flatMap((bar, index) =>
      bars
        .slice(index + 1)
        .filter(
          (other) =>
            other.who !== bar.who &&
            Math.abs(other.top - bar.top) <= 26 &&
            other.left <= bar.left + bar.width + 0.1 &&
            bar.left <= other.left + other.width + 0.1,
        )
        .map((other) => [bar, other] as const),
    );
    expect(touching.length).toBeGreaterThan(turns.length);
    expect(touching.filter(([bar, other]) => bar.colour === other.colour)).toEqual([]);
    // In a picture of three weeks, a shift of eight hours is too narrow for a name.
    expect(count(text, 'class="initials"')).toBeGreaterThan(turns.length / 2);
  });

  it('is drawn for a roster that is asked for, and is a sentence where there is none', async () => {
    const { text } = await draw(`${WINDOW}&format=svg&roster=Network`);
    expect([count(text, 'class="bar '), text.includes('Data centre')]).toEqual([4, false]);
    expect((await draw('format=svg&roster=unknown')).text).toContain('No roster has a shift in this window');
  });

  it('is the response where Accept prefers it, and format goes before Accept', async () => {
    expect((await draw(WINDOW, 'image/svg+xml')).headers.get('content-type')).toBe('image/svg+xml');
    expect((await draw(WINDOW, 'image/*;q=0.5,text/csv;q=0.4')).headers.get('content-type')).toBe('image/svg+xml');
    expect((await draw(WINDOW, '*/*')).headers.get('content-type')).toContain('application/json');
    expect((await draw(`${WINDOW}&format=csv`, 'image/svg+xml')).headers.get('content-type')).toContain('text/csv');
    expect((await draw(`${WINDOW}&format=svg`, 'application/json')).headers.get('content-type')).toBe('image/svg+xml');
    expect((await admin.get('/api/on-call/gaps', { accept: 'image/svg+xml' })).status).toBe(406);
  });

  it('has no pages', async () => {
    const { status, body } = await draw(`${WINDOW}&format=svg&pageSize=2`);
    expect([status, body.details[0].field]).toEqual([400, 'pageSize']);
  });

  it('escapes what people have written, and has a policy that runs no script', async () => {
    const { text, headers } = await draw(`${WINDOW}&format=svg`);
    expect(text).not.toContain('<script');
    const policy = headers.get('content-security-policy')!;
    expect([policy.includes("default-src 'none'"), policy.includes('script-src')]).toEqual([true, false]);
  });

  itInBrowser('is well-formed, fits its bars, and can be read in light, dark and print', async () => {
    browser = await launchBrowser();
    const { text } = await draw(`${WINDOW}&format=svg`);
    const seen: Record<string, string[]> = {};
    for (const [name, media] of Object.entries({
      light: { colorScheme: 'light' },
      dark: { colorScheme: 'dark' },
      print: { colorScheme: 'dark', media: 'print' },
    } as const)) {
      const page = await browser.newPage({ viewport: { width: 1232, height: 480 } });
      await page.emulateMedia(media);
      await page.setContent(`<body style="margin:0">${text}</body>`);
      expect(await page.title()).toBe('');
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
      seen[name] = await page.evaluate(() => {
        const fill = (selector: string): string => getComputedStyle(document.querySelector(selector)!).fill;
        return [fill('.paper'), fill('text.name')];
      });
      const overflowing = await page.evaluate(
        () =>
          [...document.querySelectorAll('g')]
            .filter((group) => group.querySelector('text'))
            .map((group) => [group.querySelector('rect')!.getBBox(), group.querySelector('text')!.getBBox()] as const)
            .filter(([bar, words]) => words.x + words.width > bar.x + bar.width + 1).length,
      );
      expect(overflowing).toBe(0);
      const faults = await page.evaluate(
        (svg) => new DOMParser().parseFromString(svg, 'image/svg+xml').querySelectorAll('parsererror').length,
        text,
      );
      expect(faults).toBe(0);
      await page.close();
    }
    const light = ['rgb(255, 255, 255)', 'rgb(28, 36, 48)'];
    expect(seen).toEqual({ light, dark: ['rgb(20, 24, 31)', 'rgb(232, 236, 242)'], print: light });
  });
});
