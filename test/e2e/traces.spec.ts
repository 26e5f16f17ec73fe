import { connect } from 'node:net';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { Controller, Get, Module } from '@nestjs/common';
import { Public } from '../../src/access/access.js';
import { createLogger } from '../../src/http/server/logger.js';
import { startService, type TestService } from '../support/app.js';
import { until } from '../support/until.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;

@Controller('broken')
class BrokenController {
  @Get()
  @Public()
  fail(): never {
    throw new TypeError('a fault of the service');
  }
}

@Module({ controllers: [BrokenController] })
class BrokenModule {}

// oxlint-disable-next-line typescript/no-explicit-any -- log lines of any shape
let lines: any[] = [];
let service: TestService;
beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  service = await startService({}, [], createLogger('info', sink));
  service.app.getHttpAdapter().getInstance().log.info('ready');
});
beforeEach(() => void (lines = []));
afterAll(() => service.stop());

/** Sends a request and returns the log lines with its id. */
async function linesOf(
  path: string,
  headers: Record<string, string>,
  count = 1,
): Promise<{ status: number; lines: typeof lines }> {
  const response = await fetch(service.url + path, { headers });
  await response.text();
  const id = response.headers.get('x-request-id');
  const own = () => lines.filter(({ reqId }) => reqId === id);
  await until(() => own().length >= count);
  return { status: response.status, lines: own() };
}

it('names the trace of a request and a span of its own in the log', async () => {
  const first = await linesOf('/health/live', { traceparent: TRACEPARENT });
  const second = await linesOf('/health/live', { traceparent: TRACEPARENT });
  for (const { status, lines: own } of [first, second]) {
    expect([status, own]).toEqual([
      200,
      [
        expect.objectContaining({
          trace_id: TRACE,
          parent_span_id: PARENT,
          span_id: expect.stringMatching(/^(?!0{16})[\da-f]{16}$/),
          msg: 'request',
        }),
      ],
    ]);
  }
  expect(first.lines[0].span_id).not.toBe(second.lines[0].span_id);
});

it.each([
  '',
  'nonsense',
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `ff-${TRACE}-${PARENT}-01`,
  `${TRACEPARENT}, ${TRACEPARENT}`,
])('ignores the invalid traceparent %p', async (traceparent) => {
  const { status, lines: own } = await linesOf('/health/live', { traceparent });
  expect([status, own.length]).toEqual([200, 1]);
  expect(own[0]).not.toHaveProperty('trace_id');
  expect(own[0]).not.toHaveProperty('span_id');
});

it('has no trace ids for a request without a trace', async () => {
  const { lines: own } = await linesOf('/health/live', {});
  expect(own).toHaveLength(1);
  expect(own[0]).not.toHaveProperty('trace_id');
});

it('names the trace on every line of a request that fails, with the same span', async () => {
  const output: typeof lines = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      output.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const other = await service.beside({}, [BrokenModule], createLogger('info', sink));
  try {
    const response = await fetch(`${other.url}/broken`, { headers: { traceparent: TRACEPARENT } });
    expect(response.status).toBe(500);
    const id = response.headers.get('x-request-id');
    const own = () => output.filter(({ reqId }) => reqId === id);
    await until(() => own().length >= 2);
    expect(own().map(({ msg }) => msg)).toEqual(['Unexpected error', 'request']);
    expect(new Set(own().map(({ trace_id: trace }) => trace))).toEqual(new Set([TRACE]));
    expect(new Set(own().map(({ span_id: span }) => span)).size).toBe(1);
  } finally {
    await other.stop();
  }
});

it('names the trace of a request that is refused before any hook', async () => {
  const { status, lines: own } = await linesOf('/api/%zz', { traceparent: TRACEPARENT });
  expect([status, own[0]]).toEqual([400, expect.objectContaining({ trace_id: TRACE })]);
});

it('takes no trace from two headers', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const other = TRACEPARENT.replace('4b', '5c');
  socket.write(
    `GET /health/live HTTP/1.1\r\nhost: x\r\ntraceparent: ${TRACEPARENT}\r\ntraceparent: ${other}\r\nconnection: close\r\n\r\n`,
  );
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 200/);
  await until(() => lines.length > 0);
  expect(lines[0]).not.toHaveProperty('trace_id');
});
