// The worst requests of a single caller. Each attack runs in a process of its own, so that it does not slow down the clients that
// measure. A further attack is one more entry of `ATTACKS`.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Records that the attacks need. */
export const CONTRACTS = 50_000;
export const RUNBOOKS = 1_500;
/** Characters of each runbook, so that their list has 94 MB. */
export const RUNBOOK_LENGTH = 62_000;

const MEGABYTE = 1_000_000;

/**
 * @typedef {object} Target
 * @property {string} url of the service
 * @property {string} session of an editor of all areas
 * @property {string} feed path of a calendar feed of all expirations
 *
 * @typedef {object} Attack
 * @property {string} name
 * @property {boolean} [isStatement] it is statements that run, of which the embedded database runs one at a time
 * @property {boolean} [isReader] its clients read on, so none of their responses may be broken off
 * @property {(target: Target) => Promise<void | Outcome[]>} run attacks once. It is repeated until the time is over
 *
 * @typedef {'complete' | 'refused' | 'broken'} Outcome of a request: `broken` is a response that began and did not end as HTTP/1.1 says
 */

const agent = new Agent({ maxSockets: Infinity });

const outcomeOf = (status) => (status < 400 ? 'complete' : 'refused');

/** Sends a request and reads the response, whatever it is. @returns its outcome; undefined if there was no response */
function send({ url, session }, method, path, body, headers = {}) {
  return new Promise((resolve) => {
    const sent = request(
      url + path,
      { method, agent, headers: { ...(session && { cookie: `session=${session}` }), ...headers } },
      (response) =>
        response
          .on('error', () => {})
          .on('close', () => resolve(response.complete ? outcomeOf(response.statusCode) : 'broken'))
          .resume(),
    );
    sent.on('error', () => resolve());
    sent.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const csv = { 'content-type': 'text/csv' };
const times = (count, work) => Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/**
 * Reads a response at this many bytes per second; nothing of it if 0.
 * @returns its outcome when the service has ended it; undefined if it is still coming after the time
 */
function readSlowly({ url, session }, path, bytesPerSecond, seconds) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: session=${session}\r\nConnection: close\r\n\r\n`),
    );
    let read = 0;
    let status;
    let last = '';
    const end = setTimeout(() => {
      resolve();
      socket.destroy();
    }, seconds * 1000);
    socket
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(end);
        // Refusals have a `Content-Length`.
        if (status >= 400) resolve('refused');
        else resolve(last.endsWith('\r\n0\r\n\r\n') ? 'complete' : 'broken');
      });
    if (bytesPerSecond === 0) socket.pause();
    else {
      const started = Date.now();
      socket.on('data', (chunk) => {
        read += chunk.length;
        status ??= Number(chunk.toString('latin1', 9, 12));
        last = (last + chunk.toString('latin1', Math.max(0, chunk.length - 7))).slice(-7);
        const ahead = (read / bytesPerSecond) * 1000 - (Date.now() - started);
        if (ahead < 20) return;
        socket.pause();
        setTimeout(() => socket.resume(), ahead);
      });
    }
  });
}

/**
 * Connections that send a part of a body, and are held open for some seconds.
 * @param sent bytes of it
 */
async function unfinishedBodies({ url, session }, path, count, length, sent, seconds) {
  const { hostname, port } = new URL(url);
  const cookie = session ? `Cookie: session=${session}\r\n` : '';
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${cookie}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const body = Buffer.alloc(sent, 'x');
  const sockets = [];
  for (let i = 0; i < count; i++) {
    const socket = connect(Number(port), hostname, () => socket.write(head) && socket.write(body));
    socket.on('error', () => {}).resume();
    sockets.push(socket);
    if (i % 50 === 49) await sleep(20);
  }
  await sleep(seconds * 1000);
  for (const socket of sockets) socket.destroy();
}

/** Connections that send bytes repeatedly and read the responses, for some seconds. */
async function flood({ url }, count, bytes, seconds) {
  const { hostname, port } = new URL(url);
  const end = Date.now() + seconds * 1000;
  await times(count, async () => {
    while (Date.now() < end) {
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.on('error', () => {}).resume();
      await Promise.race([new Promise((resolve) => socket.once('close', resolve)), sleep(1_000)]);
      socket.destroy();
    }
  });
}

/** The text of a bulk request or another body of this many bytes. */
const repeated = (start, part, end, bytes) => start + part.repeat(Math.floor(bytes / part.length)) + end;

/** @type {Attack[]} */
export const ATTACKS = [
  {
    name: 'four exports of 94 MB, read at 8 MB/s',
    isStatement: true,
    isReader: true,
    run: (target) => times(4, () => readSlowly(target, '/api/runbooks?format=ndjson', 8 * MEGABYTE, 30)),
  },
  {
    name: 'twelve exports of 94 MB at full speed',
    isStatement: true,
    isReader: true,
    run: (target) => times(12, () => send(target, 'GET', '/api/runbooks?format=ndjson')),
  },
  {
    name: 'fifteen clients that read nothing',
    isStatement: true,
    run: (target) => times(15, () => readSlowly(target, '/api/runbooks?format=ndjson', 0, 40)),
  },
  {
    name: 'tokens, sessions and calendar addresses that were never issued',
    run: ({ url }) =>
      times(16, async (n) => {
        const made = `${n}${Math.random().toString(36)}`.replace('.', '').padEnd(43, 'A').slice(0, 43);
        await send({ url }, 'GET', '/api/sites', undefined, { authorization: `Bearer inv_${made}` });
        await send({ url, session: made }, 'GET', '/api/sites');
        await send({ url }, 'GET', `/calendar/${made}.ics`);
      }),
  },
  {
    name: 'ten readers of a calendar of 50,000 expirations',
    isStatement: true,
    run: (target) => times(10, () => send({ url: target.url }, 'GET', target.feed)),
  },
  {
    name: '2,500 unfinished bodies of 1 MB before a login',
    run: ({ url }) => unfinishedBodies({ url }, '/api/auth/login', 2_500, MEGABYTE, MEGABYTE - 10, 15),
  },
  {
    name: '500 half bodies of 15 MB of an editor',
    run: (target) => unfinishedBodies(target, '/api/sites/bulk', 500, 15 * MEGABYTE, 7.5 * MEGABYTE, 10),
  },
  {
    name: '40 connections with 20,000 requests sent ahead',
    run: (target) => flood(target, 40, 'GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20_000), 5),
  },
  {
    name: '40 bodies in pieces of one byte, without a credential',
    run: (target) =>
      flood(
        target,
        40,
        `POST /api/sites HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(200_000)}`,
        5,
      ),
  },
  {
    name: 'orders of 30,000 lines with an unknown property each',
    run: (target) => {
      const lines = repeated(
        '{"name":"x","quantity":1,"unknwon":1}',
        ',{"name":"x","quantity":1,"unknwon":1}',
        '',
        950_000,
      );
      return times(4, () =>
        send(target, 'POST', '/api/purchase-orders', `{"orderNumber":"x","items":[${lines}]}`, json),
      );
    },
  },
  {
    name: '24 searches for a pattern of wildcards',
    isStatement: true,
    run: (target) => times(24, () => send(target, 'GET', `/api/runbooks?search=${'%25'.repeat(255)}`)),
  },
  {
    name: '24 lists with as many patterns as a filter takes',
    isStatement: true,
    run: (target) =>
      times(24, () =>
        send(
          target,
          'GET',
          `/api/runbooks?${Array.from({ length: 16 }, (_, n) => `content__ic=${n}x_y%25z`).join('&')}`,
        ),
      ),
  },
  {
    name: 'an import of 60,000 manufacturers of one slug, as a dry run',
    isStatement: true,
    run: (target) =>
      send(
        target,
        'POST',
        '/api/manufacturers/import?dryRun=true',
        `name\n${Array.from({ length: 60_000 }, (_, n) => `Same${'!'.repeat(n % 200)} ${'?'.repeat(Math.floor(n / 200) % 200)}${n % 2 ? '' : '.'}`).join('\n')}\n`,
        csv,
      ),
  },
  {
    name: 'four bulk requests of 15 MB of empty operations',
    run: (target) => {
      const body = repeated('{"operations":[{}', ',{}', ']}', 15 * MEGABYTE);
      return times(4, () => send(target, 'POST', '/api/sites/bulk', body, json));
    },
  },
  {
    name: 'four bulk requests of 15 MB of brackets',
    run: (target) => {
      const body = '['.repeat(15 * MEGABYTE);
      return times(4, () => send(target, 'POST', '/api/sites/bulk', body, json));
    },
  },
  {
    name: 'bulk bodies of one name of 15 MB',
    run: (target) => {
      const body = `{"operations":[{"op":"create","data":{"${'x'.repeat(15 * MEGABYTE)}":1}}]}`;
      return times(4, () => send(target, 'POST', '/api/sites/bulk', body, json));
    },
  },
  {
    name: 'bulk bodies of 240,000 names, one of them twice',
    run: (target) => {
      const names = Array.from({ length: 240_000 }, (_, n) => `"${`${n} `.padEnd(50, 'x')}":1`).join(',');
      const body = `{"operations":[{"op":"create","data":{${names},"a":1,"a":1}}]}`;
      return times(4, () => send(target, 'POST', '/api/sites/bulk', body, json));
    },
  },
  {
    name: '1,000 operations with 800 unknown properties each',
    run: (target) => {
      const properties = Array.from({ length: 800 }, (_, n) => `"x${n}":1`).join(',');
      const operation = `{"op":"create","data":{${properties}}}`;
      const body = `{"operations":[${Array.from({ length: 1_000 }, () => operation).join(',')}]}`;
      return times(4, () => send(target, 'POST', '/api/sites/bulk', body, json));
    },
  },
  {
    // A dry run writes the 7,400 ports of each document in a transaction that is rolled back.
    name: 'documents of the device type library of 250 KB',
    isStatement: true,
    run: (target) => {
      const lines = Array.from({ length: 8_000 }, (_, n) => `  - name: port-${n}\n    type: x\n`).join('');
      const body = `manufacturer: Attack\nmodel: Attack\ninterfaces:\n${lines}`.slice(0, 250_000);
      return times(4, () =>
        send(target, 'POST', '/api/device-types/import?dryRun=true', body, { 'content-type': 'application/yaml' }),
      );
    },
  },
  {
    name: 'sheets of 100 labels with QR codes',
    run: async (target) => {
      const ids = target.assets.map((id) => `id=${id}`).join('&');
      await times(4, () => send(target, 'GET', `/api/assets/labels.svg?content=serialNumber&${ids}`));
    },
  },
  {
    name: 'imports of 10,000,000 blank lines',
    run: (target) => times(2, () => send(target, 'POST', '/api/sites/import', `name\n${'\n'.repeat(10_000_000)}`, csv)),
  },
  {
    name: 'seven imports of one caller',
    isStatement: true,
    run: (target) => {
      const body = `name\n${Array.from({ length: 20_000 }, (_, n) => `Imported ${n}`).join('\n')}\n`;
      return times(7, () => send(target, 'POST', '/api/racks/import?dryRun=true', body, csv));
    },
  },
];

// As a process of its own: attacks until it is ended.
if (process.send) {
  process.once('message', async ({ name, target }) => {
    const { run } = ATTACKS.find((attack) => attack.name === name);
    process.send('started');
    for (;;) process.send((await run(target)) ?? []);
  });
}
