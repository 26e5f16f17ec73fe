// Floods of logins next to other requests, and whether response times reveal which email addresses are known.
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, count, milliseconds, openSession, percentile, PostgresServer, probe, startService } from './support.mjs';

const AT_ONCE = 50;
const SAMPLES = 200;
// The number of attempts that the limit allows per account.
const ATTEMPTS = 10;
const PASSWORD = 'the correct password of the test';
const WRONG = 'a wrong password of the test';

export default async function logins({ check, times = 10 }) {
  const server = await PostgresServer.make();
  // Through a trusted proxy each login has its own address, so that none is limited because of the others.
  const settings = { DATABASE_URL: server.url, TRUST_PROXY: 'true' };
  const service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  const login = logger(service.url);
  const known = Array.from({ length: SAMPLES / ATTEMPTS }, (_, index) => `known-${index}@example.com`);
  for (const email of known) await api.must('POST', '/api/profiles', { email, password: PASSWORD, role: 'viewer' });

  const gaps = { known: [], unknown: [] };
  for (let n = -ATTEMPTS; n < SAMPLES; n++) {
    const email = n < 0 ? 'warm-up@example.com' : known[n % known.length];
    // Alternates, so that each kind is first equally often.
    const turns = ['known', 'unknown'];
    for (const kind of n % 2 === 0 ? turns : turns.toReversed()) {
      const answer = await login(kind === 'known' ? email : `un${email}`, WRONG);
      if (answer.status !== 401) throw new Error(`A wrong password was answered with ${answer.status}`);
      if (n >= 0) gaps[kind].push(answer.ms);
    }
  }
  const medians = [percentile(gaps.known, 0.5), percentile(gaps.unknown, 0.5)];
  const gap = Math.abs(medians[0] - medians[1]);
  check({
    what: `Refused logins with known and with unknown emails, ${SAMPLES} each: difference of the medians`,
    asked: '5 ms',
    reached: `${gap.toFixed(2)} ms (${medians.map((ms) => `${ms.toFixed(1)} ms`).join(' and ')})`,
    kept: gap < 5,
  });

  const { id } = (await api.must('POST', '/api/runbooks', { name: 'read' })).data;
  const read = () => api.request('GET', `/api/runbooks/${id}`);
  await quiet(read);
  const idle = await quiet(read);
  const others = [];
  const floods = [];
  const statuses = new Set();
  for (let n = 0; n < times; n++) {
    const beside = probe(read, { clients: 4 });
    const started = performance.now();
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => login(`flood-${n}-${index}@example.com`, WRONG)),
    );
    floods.push(performance.now() - started);
    others.push(...(await beside.stop()));
    for (const { status } of answers) statuses.add(status);
  }
  const p99 = percentile(others, 0.99);
  check({
    what: `${times} floods of ${AT_ONCE} concurrent logins: p99 of other requests`,
    asked: '150 ms',
    reached: `${milliseconds(p99)} (${count(others.length)} requests; ${milliseconds(percentile(idle, 0.99))} without a flood)`,
    kept: p99 < 150,
  });
  check({
    what: 'The logins of a flood: status; time of the last response',
    asked: '',
    reached: `${[...statuses].join(', ')}; ${milliseconds(percentile(floods, 0.5))} (median)`,
    kept: [...statuses].every((status) => status === 401),
  });
  await service.end();
  await server.remove();
}

/** Logs in, from a different address each time. */
function logger(url) {
  const anonymous = new Api(url);
  let n = 0;
  return (email, password) => {
    n++;
    const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    return anonymous.request('POST', '/api/auth/login', { email, password }, { 'x-forwarded-for': address });
  };
}

/** Latencies in milliseconds without load. */
async function quiet(ask) {
  const alone = probe(ask, { clients: 4 });
  await sleep(2_000);
  return alone.stop();
}
