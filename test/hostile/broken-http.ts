import { connect } from 'node:net';
import type { Random } from './random.js';

/** Bytes that are not valid HTTP, and the permitted outcomes. */
interface Broken {
  name: string;
  bytes: Buffer;
  /** Permitted statuses. No response and a closed connection are always permitted. */
  statuses: readonly number[];
}

interface BrokenAnswer {
  statuses: number[];
  bodies: string[];
  ms: number;
}

/** The time for which a connection may stay open after the client has sent everything. */
const TIMEOUT_MS = 10_000;

/** One request that is malformed at the level of HTTP. */
export function brokenRequest(random: Random, host: string, cookie: string): Broken {
  const head = `Host: ${host}\r\nCookie: session=${cookie}\r\n`;
  const json = `${head}Content-Type: application/json\r\n`;
  const body = '{"name":"broken"}';
  const post = `POST /api/sites HTTP/1.1\r\n${json}`;
  const get = `GET /api/sites?pageSize=1 HTTP/1.1\r\n${head}`;
  const ofLength = (length: number | string): string => `Content-Length: ${length}\r\n`;
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const bytes = (count: number): Buffer => Buffer.from(random.some(count, () => random.int(256)));
  const refused = [400];
  const make: Record<string, () => [string | Buffer, readonly number[]]> = {
    'random bytes': () => [bytes(1 + random.int(2000)), refused],
    'the start of TLS': () => [Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0]), bytes(512)]), refused],
    'a preface of HTTP/2': () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [...refused, 404, 505]],
    'no version': () => [`GET /api/sites\r\n${head}\r\n`, refused],
    'an invalid version': () => [
      `GET /api/sites HTTP/${random.one(['9.9', '1', 'x', ''])}\r\n${head}\r\n`,
      [...refused, 505],
    ],
    'an invalid method': () => [
      `${random.one(['G@T', 'get', '', 'GETT', '\0'])} /api/sites HTTP/1.1\r\n${head}\r\n`,
      refused,
    ],
    'no path': () => [`GET  HTTP/1.1\r\n${head}\r\n`, refused],
    'a space in the path': () => [`GET /api/sites/a b HTTP/1.1\r\n${head}\r\n`, refused],
    'a control character in the path': () => [`GET /api/sites/\x01\x7f HTTP/1.1\r\n${head}\r\n`, [...refused, 404]],
    'NUL in the path': () => [`GET /api/sites/\0 HTTP/1.1\r\n${head}\r\n`, refused],
    'bytes beyond ASCII in the path': () => [
      Buffer.concat([
        Buffer.from('GET /api/sites/'),
        Buffer.from(random.some(8, () => 128 + random.int(128))),
        Buffer.from(` HTTP/1.1\r\n${head}\r\n`),
      ]),
      [...refused, 404],
    ],
    'a path of the absolute form': () => [
      `GET http://elsewhere/api/sites?pageSize=1 HTTP/1.1\r\n${head}\r\n`,
      [200, 400, 401, 404],
    ],
    'a path that is a star': () => [`OPTIONS * HTTP/1.1\r\n${head}\r\n`, [400, 404, 405]],
    CONNECT: () => [`CONNECT elsewhere:443 HTTP/1.1\r\n${head}\r\n`, [400, 404, 405]],
    'an upgrade': () => [
      `GET /api/sites?pageSize=1 HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      [200, 400],
    ],
    'no Host': () => ['GET /health/live HTTP/1.1\r\n\r\n', refused],
    'two Hosts': () => [`GET /health/live HTTP/1.1\r\n${head}Host: elsewhere\r\n\r\n`, refused],
    'bare line feeds': () => [`${get}\r\n`.replaceAll('\r\n', '\n'), [200, 400]],
    'bare carriage returns': () => [`${get}\r\n`.replaceAll('\r\n', '\r'), refused],
    'a header without a colon': () => [`${get}nonsense\r\n\r\n`, refused],
    'a header without a name': () => [`${get}: x\r\n\r\n`, refused],
    'a space before the colon': () => [`${get}X-A : x\r\n\r\n`, refused],
    'a folded header': () => [`${get}X-A: x\r\n y\r\n\r\n`, [200, 400]],
    'NUL in a header': () => [`${get}X-A: a\0b\r\n\r\n`, refused],
    'bytes beyond ASCII in a header': () => [
      Buffer.concat([Buffer.from(`${get}X-A: `), Buffer.from([0xff, 0xfe]), Buffer.from('\r\n\r\n')]),
      [200, 400],
    ],
    'bytes beyond ASCII in the cookie': () => [
      Buffer.concat([
        Buffer.from(`GET /api/sites HTTP/1.1\r\nHost: ${host}\r\nCookie: session=`),
        Buffer.from([0xff, 0xc0, 0x80]),
        Buffer.from('\r\n\r\n'),
      ]),
      [400, 401],
    ],
    'a header that is too long': () => [`${get}X-A: ${'x'.repeat(20_000)}\r\n\r\n`, [431]],
    'a flood of headers': () => [`${get}${random.some(3000, () => 'X-A: x\r\n').join('')}\r\n`, [200, 431]],
    'a path that is too long': () => [
      `GET /api/sites?search=${'x'.repeat(20_000)} HTTP/1.1\r\n${head}\r\n`,
      [414, 431],
    ],
    'two lengths that differ': () => [`${post}${ofLength(body.length)}${ofLength(3)}\r\n${body}`, refused],
    'two lengths that agree': () => [`${post}${ofLength(body.length)}${ofLength(body.length)}\r\n${body}`, refused],
    'an invalid length': () => [
      `${post}${ofLength(random.one(['-1', '+5', '0x10', '1e3', '5 5', '5,5', '', '９']))}\r\n${body}`,
      refused,
    ],
    'a length beyond every number': () => [`${post}${ofLength('9'.repeat(30))}\r\n${body}`, refused],
    'a length beyond the limit': () => [`${post}${ofLength(2 ** 40)}\r\n${body}`, [400, 413]],
    'a length and chunks': () => [`${post}${ofLength(body.length)}${chunked}\r\n0\r\n\r\n`, refused],
    'chunks, obscured': () => [
      `${post}${random.one(['Transfer-Encoding: xchunked', 'Transfer-Encoding: chunked, identity', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: x'])}\r\n\r\n0\r\n\r\n`,
      refused,
    ],
    'a chunk with an invalid size': () => [
      `${post}${chunked}\r\n${random.one(['zz', '-1', '0x5', '', ' 5', 'f'.repeat(20)])}\r\n${body}\r\n0\r\n\r\n`,
      refused,
    ],
    'a chunk that is longer than its size': () => [`${post}${chunked}\r\n3\r\n${body}\r\n0\r\n\r\n`, refused],
    'an extension of a chunk without end': () => [
      `${post}${chunked}\r\n3;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`,
      [400, 413, 431],
    ],
    'chunks beyond the limit': () => [
      `${post}${chunked}\r\n${random.some(20, () => `10000\r\n${' '.repeat(65_536)}\r\n`).join('')}0\r\n\r\n`,
      [413],
    ],
    'trailers without end': () => [
      `${post}${chunked}\r\n2\r\n{}\r\n0\r\n${random.some(3000, () => 'X-A: x\r\n').join('')}\r\n`,
      [400, 431],
    ],
    'a body that is cut off': () => [`${post}${ofLength(body.length + 10)}\r\n${body}`, refused],
    'a chunked body that is cut off': () => [
      `${post}${chunked}\r\n${body.length.toString(16)}\r\n${body.slice(0, 5)}`,
      refused,
    ],
    'headers that are cut off': () => [get.slice(0, random.int(get.length)), refused],
    'a body on GET': () => [`${get}${ofLength(body.length)}Content-Type: application/json\r\n\r\n${body}`, [200, 400]],
    'a body of a type that needs none': () => [
      `DELETE /api/sites/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)} HTTP/1.1\r\n${head}Content-Type: text/plain\r\n${ofLength(3)}\r\nabc`,
      [400, 404, 415],
    ],
    'an unknown expectation': () => [
      `${post}Expect: the-impossible\r\n${ofLength(body.length)}\r\n${body}`,
      [201, 400],
    ],
    'a second request in the body': () => [
      `${post}${ofLength(2)}\r\n[]GET /health/live HTTP/1.1\r\n${head}\r\n`,
      [400, 200],
    ],
    'requests in a row, the second broken': () => [`${get}\r\nnonsense\r\n\r\n`, [200, 400]],
  };
  const name = random.one(Object.keys(make));
  const [content, statuses] = make[name]!();
  return { name, bytes: typeof content === 'string' ? Buffer.from(content, 'latin1') : content, statuses };
}

/** Sends bytes on a new connection, ends it, and reads the response. @throws Error if the connection stays open */
export function sendBytes(port: number, bytes: Buffer): Promise<BrokenAnswer> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes));
    const timer = setTimeout(() => {
      socket.destroy();
      const said = Buffer.concat(chunks).toString('latin1').slice(0, 200);
      reject(new Error(`The connection is still open after ${TIMEOUT_MS} ms; received: ${said}`));
    }, TIMEOUT_MS);
    let ms: number | undefined;
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      ms ??= performance.now() - started;
    });
    // The service may refuse the request while it is being sent. This is not an error.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      try {
        resolve({ ...answersIn(Buffer.concat(chunks).toString('latin1')), ms: ms ?? performance.now() - started });
      } catch (error) {
        reject(error as Error);
      }
    });
    socket.on('end', () => socket.destroy());
  });
}

/** The final responses on a connection, and their bodies. @throws Error for anything else */
function answersIn(said: string): { statuses: number[]; bodies: string[] } {
  const statuses: number[] = [];
  const bodies: string[] = [];
  for (let rest = said; rest !== '';) {
    const [, status, headers] = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n(.*?)\r\n\r\n/s.exec(rest) ?? [];
    if (status === undefined) throw new Error(`The response is not HTTP: ${JSON.stringify(rest.slice(0, 200))}`);
    rest = rest.slice(rest.indexOf('\r\n\r\n') + 4);
    const isChunked = /^transfer-encoding: chunked/im.test(headers!);
    const length = isChunked
      ? rest.indexOf('0\r\n\r\n') + 5
      : Number(/^content-length: (\d+)/im.exec(headers!)?.[1] ?? 0);
    if (status !== '100') {
      statuses.push(Number(status));
      bodies.push(Buffer.from(rest.slice(0, length), 'latin1').toString());
    }
    rest = rest.slice(length);
  }
  return { statuses, bodies };
}
