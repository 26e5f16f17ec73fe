import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeFeed } from '../../src/change-log/feed/change-feed.js';
import { onServer } from '../support/database.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { until } from '../support/until.js';
import { itInFull } from '../support/size.js';

let service: TestService;
let admin: Api;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  editor = await service.as('editor');
});
afterAll(() => service.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- entries hold values of any shape
type Entry = any;

const read = async (query: string, api = editor): Promise<{ data: Entry[]; cursor: string; hasMore: boolean }> => {
  const answer = await api.get(`/api/changes${query}`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
};
const refusal = ({ status, body }: Answer): [number, string] => [status, body.error];

/** Reads until an entry arrives. Transactions of other tests on the same server delay the feed. */
async function readOn(cursor: string, query = '', api = editor): Promise<{ data: Entry[]; cursor: string }> {
  for (let tries = 0; ; tries++) {
    const page = await read(`?since=${cursor}&wait=10${query}`, api);
    if (page.data.length > 0 || tries === 5) return page;
    cursor = page.cursor;
  }
}

/** Waits until the feed shows all writes. Transactions of other tests on the same server delay it. */
const settled = async (): Promise<void> =>
  void (await until(
    () => service.app.get(ChangeFeed).delay(),
    (delay) => delay === 0,
  ));

const sites = async (...names: string[]): Promise<void> => {
  for (const name of names) await editor.make('/api/sites', { name });
};
const namesOf = (data: Entry[]): string[] => data.map(({ recordName }) => recordName);

it('starts now, goes on from a cursor, and shows entries as the change log does', async () => {
  const beginning = await read('');
  await sites('before');
  await readOn(beginning.cursor);
  const { cursor, hasMore } = await read('');
  expect(hasMore).toBe(false);
  const site = await editor.make('/api/sites', { name: 'after' });
  const { data, cursor: next } = await readOn(cursor);
  const shown = data.filter(({ recordId }) => recordId === site.id);
  expect(shown).toEqual([(await editor.get(`/api/change-log?recordId=${site.id}`)).body.data[0]]);
  expect(await read(`?since=${next}`)).toEqual({ data: [], cursor: next, hasMore: false });
});

it('reads everything from the start in pages of any size, without a gap or a repetition', async () => {
  await sites('a', 'b', 'c', 'd', 'e');
  await settled();
  const whole = (await read('?since=start&limit=1000', admin)).data;
  expect(whole.length).toBeGreaterThan(5);
  const walked: Entry[] = [];
  let cursor = 'start';
  for (;;) {
    const page = await read(`?since=${cursor}&limit=2`, admin);
    walked.push(...page.data);
    cursor = page.cursor;
    if (!page.hasMore) break;
  }
  expect(walked.slice(0, whole.length)).toEqual(whole);
  expect(new Set(walked.map(({ id }) => id)).size).toBe(walked.length);
});

it('narrows by resource and action, each of which may be repeated', async () => {
  await settled();
  const { cursor } = await read('');
  const vrf = await editor.make('/api/vrfs', { name: 'v' });
  await editor.patch(`/api/vrfs/${vrf.id}`, { description: 'x' });
  await sites('narrow');
  await editor.delete(`/api/vrfs/${vrf.id}`);
  const kinds = async (query: string): Promise<string[]> => {
    await readOn(cursor, '&resource=vrfs&action=delete');
    return (await read(`?since=${cursor}${query}`)).data.map(({ resource, action }) => `${resource}.${action}`);
  };
  expect(await kinds('&resource=vrfs')).toEqual(['vrfs.create', 'vrfs.update', 'vrfs.delete']);
  expect(await kinds('&resource=vrfs&resource=sites&action=create&action=delete')).toEqual([
    'vrfs.create',
    'sites.create',
    'vrfs.delete',
  ]);
  expect(await kinds('&resource=no-such-things')).toEqual([]);
});

it('leaves out what the caller may not read, and goes on past it', async () => {
  const outsider = await service.as('viewer', ['network']);
  await settled();
  const { cursor } = await read('', outsider);
  await editor.make('/api/incidents', { name: 'secret' });
  await service.as('viewer');
  await sites('public');
  expect(namesOf((await readOn(cursor, '', outsider)).data)).toEqual(['public']);
  // Only administrators see profiles.
  const all = (await read(`?since=${cursor}`, admin)).data;
  expect(all.map(({ resource }) => resource)).toEqual(['incidents', 'profiles', 'sites']);
  const end = (await read(`?since=${cursor}&resource=incidents`, outsider)).cursor;
  expect((await read(`?since=${end}`, admin)).data).toEqual([]);
});

it('waits for the first entry', async () => {
  await settled();
  const { cursor } = await read('');
  const other = `?since=${cursor}&resource=racks`;
  const first = read(`?since=${cursor}&wait=30`);
  // Nobody reads this response, and the service stops first.
  const rest = read(`${other}&wait=30`).catch(() => ({ data: [] }));
  await sleep(400);
  await sites('awaited');
  expect(namesOf((await Promise.race([first, rest])).data)).toEqual(['awaited']);
  expect((await read(`${other}&wait=1`)).data).toEqual([]);
});

it('refuses cursors that are malformed, of another log, or older than what is kept', async () => {
  await sites('kept');
  const malformed = 'since must be start, or the cursor of an earlier response';
  for (const since of ['', 'x', '!!!!', 'AAAA']) {
    expect(refusal(await editor.get(`/api/changes?since=${encodeURIComponent(since)}`))).toEqual([400, malformed]);
  }
  const { cursor } = await read('?since=start&limit=1');
  const other = Buffer.from(cursor, 'base64url');
  other[20]! ^= 1;
  expect(refusal(await editor.get(`/api/changes?since=${other.toString('base64url')}`))).toEqual([
    410,
    expect.stringContaining('is not from this change log'),
  ]);
  expect(refusal(await editor.get('/api/changes?limit=0&wait=31&action=rename&recource=a'))).toEqual([
    400,
    "limit must be an integer between 1 and 1000; wait must be an integer between 0 and 30; action must be one of create, update, delete; Unknown parameter 'recource'. Did you mean 'resource'?",
  ]);
});

/** A stream of server-sent events, and the events received so far. */
class Stream {
  text = '';
  ended = false;
  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => (this.text += text));
    response.on('close', () => (this.ended = true));
    response.on('error', () => {});
  }

  static open(api: Api, query = '', headers: Record<string, string> = {}): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const options = { headers: { cookie: `session=${api.cookie}`, ...headers } };
      get(`${service.url}/api/changes/stream${query}`, options, (response) => resolve(new Stream(response))).on(
        'error',
        reject,
      );
    });
  }

  get events(): { id: string; event: string; data: Entry }[] {
    return [...this.text.matchAll(/^id: (.*)\nevent: (.*)\ndata: (.*)\n\n/gm)].map(([, id, event, data]) => ({
      id: id!,
      event: event!,
      data: JSON.parse(data!),
    }));
  }

  async until(met: () => boolean): Promise<void> {
    await until(() => this.text, met);
  }

  close(): void {
    this.response.destroy();
  }
}

describe('as a stream', () => {
  // A stream starts after the entries that are visible then.
  beforeEach(settled);

  it('sends events with their cursor, and resumes after the last one', async () => {
    const stream = await Stream.open(editor);
    expect(stream.response.headers['content-type']).toBe('text/event-stream');
    await stream.until(() => stream.text.includes('\n\n'));
    await sites('one', 'two');
    await stream.until(() => stream.events.length >= 2);
    expect(stream.events.map(({ event, data }) => [event, data.recordName])).toEqual([
      ['sites.create', 'one'],
      ['sites.create', 'two'],
    ]);
    stream.close();
    const [first] = stream.events;
    // The header takes precedence over the parameter.
    const again = await Stream.open(editor, '?since=start', { 'last-event-id': first!.id });
    await again.until(() => again.events.length > 0);
    expect(again.events[0]!.data.recordName).toBe('two');
    again.close();
    expect((await read(`?since=${first!.id}`)).data[0].recordName).toBe('two');
  });

  it('narrows, and refuses what it does not take', async () => {
    const stream = await Stream.open(editor, '?resource=vrfs&action=create');
    await stream.until(() => stream.text.includes('\n\n'));
    await sites('not a VRF');
    await editor.make('/api/vrfs', { name: 'blue' });
    await stream.until(() => stream.events.length > 0);
    expect(stream.events.map(({ event }) => event)).toEqual(['vrfs.create']);
    stream.close();
    expect((await editor.get('/api/changes/stream?limit=5')).status).toBe(400);
    const headers = { 'last-event-id': 'nonsense' };
    expect(refusal(await editor.get('/api/changes/stream', headers))).toEqual([
      400,
      'Last-Event-ID must be the id of an event of this stream',
    ]);
  });

  itInFull.each([
    ['the session', (id: string) => admin.delete(`/api/profiles/${id}/sessions`)],
    ['an area', (id: string) => admin.patch(`/api/profiles/${id}`, { areas: ['network'] })],
    ['the profile', (id: string) => admin.patch(`/api/profiles/${id}`, { isActive: false })],
  ])('ends after the end of %s', async (_what, end) => {
    const api = await service.as('viewer');
    const { id } = (await api.get('/api/auth/session')).body.data;
    const stream = await Stream.open(api);
    await stream.until(() => stream.text.includes('\n\n'));
    await end(id);
    await stream.until(() => stream.ended);
    expect(stream.response.complete).toBe(true);
  });

  it('ends after the end of the token', async () => {
    const token = await admin.make('/api/tokens', { name: 'stream' });
    const stream = await Stream.open({ cookie: token.token } as Api);
    await stream.until(() => stream.text.includes('\n\n'));
    await admin.delete(`/api/tokens/${token.id}`);
    await stream.until(() => stream.ended);
    expect(stream.response.complete).toBe(true);
  });

  itInFull('ends for a client that does not read it, too', async () => {
    const api = await service.as('viewer');
    const { id } = (await api.get('/api/auth/session')).body.data;
    const { cursor } = await read('');
    const description = 'x'.repeat(60_000);
    for (let n = 0; n < 20; n++) {
      const operations = Array.from({ length: 15 }, () => ({
        op: 'create',
        data: { name: randomUUID(), description },
      }));
      expect((await admin.post('/api/sites/bulk', { operations })).status).toBe(200);
    }
    await settled();
    const sent = new Promise<ServerResponse>((resolve) => {
      service.app.getHttpServer().once('request', (_request, response) => resolve(response));
    });
    const stream = await Stream.open(api, `?since=${cursor}`);
    stream.response.pause();
    const response = await sent;
    // Waits until all buffers are full: data waits to be sent, but nothing was sent for two seconds.
    let moved = { bytes: -1, at: 0 };
    await stream.until(() => {
      const bytes = response.socket!.bytesWritten;
      if (bytes !== moved.bytes) moved = { bytes, at: Date.now() };
      return response.writableNeedDrain && Date.now() - moved.at > 2_000;
    });
    await admin.delete(`/api/profiles/${id}/sessions`);
    // The paused client cannot notice the end of the connection.
    await stream.until(() => response.destroyed);
    stream.response.resume();
    await stream.until(() => stream.ended);
    // The service cut it off: the response is incomplete.
    expect(stream.response.complete).toBe(false);
    expect(stream.events.length).toBeLessThan(300);
  });

  it('has at most 100 readers of a profile at once', async () => {
    const api = await service.as('viewer');
    const streams = await Promise.all(Array.from({ length: 100 }, () => Stream.open(api)));
    expect(streams.map(({ response }) => response.statusCode)).toEqual(Array.from({ length: 100 }, () => 200));
    const latest = jest.spyOn(service.app.get(ChangeFeed), 'latest');
    const refused = await api.get('/api/changes/stream');
    expect(refusal(refused)).toEqual([
      429,
      'Your profile already has 100 open streams and waiting requests. End one of them first',
    ]);
    expect((await api.get('/api/changes?wait=1')).status).toBe(429);
    // A refusal runs no statement. Requests without `wait` do not wait and are not refused.
    expect(latest).not.toHaveBeenCalled();
    expect((await api.get('/api/changes')).status).toBe(200);
    expect(latest).toHaveBeenCalledTimes(1);
    latest.mockRestore();
    expect(refused.headers.get('retry-after')).not.toBeNull();
    // Other profiles may still open streams. So may this profile after it has closed one.
    (await Stream.open(editor)).close();
    for (const stream of streams) stream.close();
    await until(async () => {
      const stream = await Stream.open(api);
      stream.close();
      return stream.response.statusCode === 200;
    });
  });
});

// The embedded database has one session.
(onServer ? describe : describe.skip)('while transactions overlap', () => {
  it('shows nothing behind an open transaction, and then everything in order', async () => {
    const { pool } = service.database.db;
    await settled();
    const { cursor } = await read('');
    const slow = await pool.connect();
    await slow.query(`BEGIN; INSERT INTO sites (name) VALUES ('slow')`);
    await sites('quick');
    await sleep(600);
    expect((await read(`?since=${cursor}`)).data).toEqual([]);
    expect(await service.app.get(ChangeFeed).delay()).toBeGreaterThan(0.5);
    await slow.query('COMMIT');
    slow.release();
    const seen = await until(
      async () => namesOf((await read(`?since=${cursor}`)).data),
      (names) => names.length >= 2,
    );
    expect(seen).toEqual(['slow', 'quick']);
    await settled();
  });
});
