// Replaces two replicas of this version by two of a made-up next one, one after the other, and goes back, under writers.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeNeighbour } from './neighbour.mjs';
import {
  Api,
  count,
  milliseconds,
  most,
  openSession,
  PostgresServer,
  startService,
  temporaryDirectory,
} from './support.mjs';
import { Writers } from './writers.mjs';

/** Milliseconds that each mixture of versions works. */
const TOGETHER = 10_000;
/** Milliseconds from the removal of a replica from the load balancer to its signal. */
const REMOVAL = 500;

export default async function rollingUpgrade({ check, say, times = 1 }) {
  const source = join(temporaryDirectory().path, 'neighbour');
  const version = makeNeighbour(source);
  const server = await PostgresServer.make();
  const settings = { DATABASE_URL: server.url };
  const neighbour = { entry: [join(source, 'scripts', 'source.cjs'), join(source, 'src', 'main.ts')], cwd: source };
  const replicas = [];
  let turn = 0;
  /** A load balancer: each request goes to the next replica. */
  const api = new Api('', '');
  Object.defineProperty(api, 'url', { get: () => replicas[turn++ % replicas.length].url });
  const admit = async (of) => void replicas.push(await startService(settings, of));
  const leave = async () => {
    const replica = replicas.shift();
    await sleep(REMOVAL);
    return (await replica.end()).code;
  };
  await admit();
  await admit();
  api.cookie = await openSession(settings);
  const writers = await Writers.make(api);
  writers.start();
  const codes = [];
  for (let n = 1; n <= times; n++) {
    for (const next of [neighbour, neighbour, undefined, undefined]) {
      await sleep(TOGETHER);
      await admit(next);
      await sleep(TOGETHER);
      codes.push(await leave());
      say(`${n}: ${next ? `on to ${version}` : 'back to this version'}, ${count(writers.answers.length)} responses`);
    }
  }
  await sleep(TOGETHER);
  await writers.rest();
  const { lost, disagreements, assets } = await writers.audit();
  const failures = [...writers.statuses().keys()].filter((status) => status >= 300);
  const seconds = Math.round((9 * TOGETHER * times) / 1000);
  check({
    what: `This version and ${version} side by side for ${seconds} s, two replicas replaced and put back: responses other than successes`,
    asked: 'none',
    reached: `${failures.length === 0 ? 'none' : failures.map((status) => `${writers.statuses().get(status)} × ${status}`).join(', ')} of ${count(writers.answers.length)}; ${writers.unanswered} requests without a response`,
    kept: failures.length === 0 && writers.unanswered === 0,
  });
  check({
    what: 'Missing acknowledged creates, changes and receives; orders that contradict their assets',
    asked: 'none',
    reached: `${lost} of ${count(writers.acknowledged)}; ${disagreements.length === 0 ? 'none' : disagreements.join('; ')}; ${count(assets)} assets`,
    kept: lost === 0 && disagreements.length === 0,
  });
  check({
    what: 'Exit codes; slowest response',
    asked: '0; 5 s',
    reached: `${[...new Set(codes)].join(', ')}; ${milliseconds(most(writers.answers.map(({ ms }) => ms)))}`,
    kept: codes.every((code) => code === 0) && most(writers.answers.map(({ ms }) => ms)) < 5_000,
  });
  for (const replica of replicas) await replica.end();
  await server.remove();
}
