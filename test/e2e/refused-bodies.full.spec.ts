import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startService, type TestService } from '../support/app.js';
import { describeWith } from '../support/tools.js';
import { itInFull } from '../support/size.js';

/* A client whose body is refused sees the reason, whatever HTTP client it uses. */

const MIB = 1024 * 1024;
const TIMES = 100;
const LITTLE_TOO_LARGE = MIB + 5_000;

const PIECE = Buffer.alloc(64 * 1024, 'x');

const folder = mkdtempSync(join(tmpdir(), 'refused-'));
const file = join(folder, 'body.json');
const body = (size: number): string => `{"name":"${'x'.repeat(size - 11)}"}`;

let service: TestService;
let cookie: string;
beforeAll(async () => {
  service = await startService();
  ({ cookie } = (await service.as('editor')) as { cookie: string });
  writeFileSync(file, body(LITTLE_TOO_LARGE));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

interface Sent {
  text: string;
  /** Bytes that the server read. */
  taken: number;
  /** Pieces that the client sent. */
  sent: number;
  milliseconds: number;
}

/**
 * Sends headers and then pieces of a body, until all pieces are sent or the connection breaks.
 * @param pause milliseconds between the pieces
 */
async function send(headers: string, pieces: number, pause = 0): Promise<Sent> {
  const started = Date.now();
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (data) => (text += String(data))).on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const answered = new Promise((resolve) => socket.once('end', resolve));
  socket.write(
    `POST /api/runbooks HTTP/1.1\r\nHost: x\r\nCookie: session=${cookie}\r\nContent-Type: application/json\r\n${headers}\r\n`,
  );
  let sent = 0;
  for (; sent < pieces && !socket.destroyed; sent++) {
    if (!socket.write(PIECE)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
    if (pause > 0) await sleep(pause);
  }
  await Promise.race([answered, closed]);
  const taken = socket.bytesWritten - socket.writableLength;
  socket.destroy();
  return { text, taken, sent, milliseconds: Date.now() - started };
}

it(`reads what a raw client sends of ${LITTLE_TOO_LARGE} bytes`, async () => {
  const pieces = 17;
  for (let time = 0; time < TIMES; time++) {
    const { text, taken } = await send(`Content-Length: ${pieces * PIECE.length}\r\n`, pieces);
    expect(text.split('\r\n', 1)[0]).toBe('HTTP/1.1 413 Payload Too Large');
    expect(taken).toBeGreaterThan(pieces * PIECE.length);
  }
});

it('reads 20 MiB at most', async () => {
  const { text, taken } = await send(`Content-Length: ${100 * MIB}\r\n`, (100 * MIB) / PIECE.length);
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(taken).toBeGreaterThan(19 * MIB);
  // The difference is in buffers of the system.
  expect(taken).toBeLessThan(40 * MIB);
});

itInFull('waits 10 s at most for a client that sends slowly', async () => {
  const { text, sent, milliseconds } = await send(`Content-Length: ${100 * MIB}\r\n`, 60, 250);
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(milliseconds).toBeGreaterThan(9_000);
  // Sending all pieces takes at least 15 s.
  expect(sent).toBeLessThan(60);
});

it('reads 10,000 pieces at most, however short they are', async () => {
  const server = service.app.getHttpServer() as Server;
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(Number(new URL(service.url).port), '127.0.0.1');
  client.on('error', () => {});
  const [socket] = await accepted;
  const closed = once(socket, 'close');
  const pieces = '1\r\n \r\n'.repeat(200_000);
  client.write(`POST /api/runbooks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}`);
  await closed;
  expect(socket.bytesRead).toBeLessThan(pieces.length / 2);
  client.destroy();
});

it('refuses an announced body without asking for it', async () => {
  const { text } = await send(`Content-Length: ${2 * MIB}\r\nExpect: 100-continue\r\n`, 0);
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text).not.toContain('100 Continue');
});

it('asks for an announced body that it will read', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(
    `POST /api/runbooks HTTP/1.1\r\nHost: x\r\nCookie: session=${cookie}\r\nContent-Type: application/json\r\nContent-Length: 13\r\nExpect: 100-continue\r\n\r\n`,
  );
  const [first] = await once(socket, 'data');
  expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{"name":"A1"}');
  const [second] = await once(socket, 'data');
  expect(String(second)).toMatch(/^HTTP\/1\.1 201 /);
  socket.destroy();
});

it("answers Node's fetch with 413, each time", async () => {
  const text = body(LITTLE_TOO_LARGE);
  for (let time = 0; time < TIMES; time++) {
    const response = await fetch(`${service.url}/api/runbooks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: `session=${cookie}` },
      body: text,
    });
    expect([response.status, await response.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'body_too_large' }),
    ]);
  }
});

describeWith('curl')('curl', () => {
  it.each([
    ['with Expect', []],
    ['without', ['-H', 'Expect:']],
  ])('sees 413 each time, %s', async (_, more) => {
    const args = ['-sS', '-o', '/dev/null', '-w', '%{http_code} %{exitcode}', '-b', `session=${cookie}`, ...more];
    for (let time = 0; time < TIMES / 2; time++) {
      const { stdout } = await promisify(execFile)('curl', [
        ...args,
        '-H',
        'Content-Type: application/json',
        '--data-binary',
        `@${file}`,
        `${service.url}/api/runbooks`,
      ]);
      expect(stdout).toBe('413 0');
    }
  });
});
