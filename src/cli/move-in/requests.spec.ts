import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { visible } from '../remote.js';
import { LIMITS, SourceApi } from './requests.js';

const servers: Server[] = [];
const usual = { ...LIMITS };
beforeAll(() => void (process.env.SNIPE_IT_TOKEN = 'secret'));
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  Object.assign(LIMITS, usual);
});
afterAll(() => void delete process.env.SNIPE_IT_TOKEN);

/** A server that answers as the API of a source. */
async function answering(answer: RequestListener): Promise<{ api: SourceApi; url: string }> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { api: new SourceApi(url, 'SNIPE_IT_TOKEN'), url };
}

const json = { 'content-type': 'application/json' };

describe('a source cannot', () => {
  it('fill the memory, compressed or not', async () => {
    LIMITS.bytes = 2 * 1024 * 1024;
    const bomb = gzipSync(`["${'a'.repeat(50 * 1024 * 1024)}"]`);
    const { api } = await answering((_, response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
    );
    await expect(api.get('/x')).rejects.toThrow('answered more than 2 MiB to /x');
  });

  it('keep it waiting', async () => {
    LIMITS.milliseconds = 300;
    const { api } = await answering((_, response) => void response.writeHead(200, json).write('{'));
    await expect(api.get('/x')).rejects.toThrow('did not answer within 0.3 s: /x');
  });

  it('send the token to another host', async () => {
    const seen: unknown[] = [];
    const { url } = await answering(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(200, json).end('{}');
    });
    const { api } = await answering(({ url: path }, response) => {
      const to = path === '/away' ? `${url}/x` : path === '/near' ? '/here' : path === '/round' ? '/round' : undefined;
      if (to === undefined) response.writeHead(200, json).end('{"here": true}');
      else response.writeHead(302, { location: to }).end();
    });
    await expect(api.get('/away')).rejects.toThrow(`sends on to ${url}: give that address`);
    expect(seen).toEqual([]);
    expect(await api.get('/near')).toEqual({ here: true });
    await expect(api.get('/round')).rejects.toThrow('sends on more than 5 times: /round');
  });

  it('repeat its pages for ever', async () => {
    const { api } = await answering((_, response) =>
      response.writeHead(200, json).end(JSON.stringify({ total: 1e9, rows: [{ id: 1 }, { id: 2 }] })),
    );
    const read = async (): Promise<void> => {
      for await (const _ of api.entries((offset) => `/x?offset=${offset}`, ['total', 'rows']));
    };
    await expect(read()).rejects.toThrow('repeats its pages: /x?offset=2');
  });

  it.each([
    ['<html>', 'answered something that is not JSON to /x: is it the right address?'],
    ['['.repeat(100_000), 'answered too many levels to /x'],
  ])('end it with %.10s', async (text, sentence) => {
    const { api } = await answering((_, response) => response.writeHead(200, json).end(text));
    await expect(api.get('/x')).rejects.toThrow(sentence);
  });
});

it('a terminal shows texts of a source, and obeys none', () =>
  expect(visible('a\u001B[2Jb\u009B\u202Ec\n\td')).toBe('a\uFFFD[2Jb\uFFFD\uFFFDc\n\td'));
