// `npm run bench:memory`: the memory of the service while many clients read its longest answers. See bench/README.md.
import '../scripts/help.mjs';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { build, memoryOf, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const SECONDS = Number(options.seconds);
const say = (line) => process.stdout.write(`${line}\n`);

/** Platforms whose texts are as long as they may be; each U+0001 takes six bytes of JSON. */
async function fat(client) {
  await client.query(
    `INSERT INTO platforms (name, slug, description, typical_devices, key_features, common_use_cases)
     SELECT 'Fat ' || n, 'fat-' || n, t, t, t, t FROM generate_series(1, 345) n, repeat(E'\\x01', 65536) t`,
  );
  await client.query(
    `INSERT INTO on_call_schedules (name, description) SELECT 'Schedule ' || n, repeat(E'\\x01', 65536) FROM generate_series(1, 300) n`,
  );
  // Entries of the change log with each text twice, as it was and as it is.
  await client.query(
    `UPDATE platforms SET description = t, typical_devices = t, key_features = t, common_use_cases = t FROM repeat(E'\\x02', 65536) t`,
  );
}

build();
const url = await prepareDatabase('inventory_bench_memory', { keep: false }, fat);
const session = openSession(url);

/** Reads an answer to its end. @returns its status and its bytes */
const read = (base, path, agent) =>
  new Promise((resolve, reject) => {
    http
      .get(base + path, { agent, headers: { cookie: `session=${session}` } }, (response) => {
        let bytes = 0;
        response.on('data', (chunk) => (bytes += chunk.length));
        response.on('end', () => resolve({ status: response.statusCode, bytes }));
        response.on('error', reject);
      })
      .on('error', reject);
  });

const client = await connect(url);
const { rows } = await client.query("INSERT INTO incidents (name) VALUES ('Fat 1') RETURNING id");
const incident = rows[0].id;
await client.end();

const PATHS = {
  'pages of 50 entries of the change log': '/api/change-log?resource=platforms&action=update&pageSize=50',
  'pages of 500 entries of the change log': '/api/change-log?resource=platforms&action=update&pageSize=500',
  'lists of 345 platforms': '/api/platforms?pageSize=500',
  'contexts of an incident': `/api/incidents/${incident}/context`,
};
for (const [name, path] of Object.entries(PATHS)) {
  for (const clients of [12, 32]) {
    // A service of its own, so that each figure is its own.
    const service = await startServer('service', url);
    const { rss: before } = memoryOf(service.pid);
    const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
    const end = performance.now() + SECONDS * 1000;
    const answers = { ok: 0, refused: 0, bytes: 0 };
    await Promise.all(
      Array.from({ length: clients }, async () => {
        do {
          const { status, bytes } = await read(service.url, path, agent);
          if (status === 200) answers.ok++;
          else if (status === 503) answers.refused++;
          else throw new Error(`${path} gave ${status}`);
          answers.bytes += bytes;
        } while (performance.now() < end);
      }),
    );
    const { peak } = memoryOf(service.pid);
    say(
      `${clients} clients, ${name}: ${answers.ok} answers, ${answers.refused} refused with 503, ${Math.round(answers.bytes / 2 ** 20)} MiB; RSS ${Math.round(before)} MiB before, ${Math.round(peak)} MiB at most`,
    );
    agent.destroy();
    await service.stop();
  }
}
