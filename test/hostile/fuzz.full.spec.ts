import { startService, type TestService } from '../support/app.js';
import { Fuzzer } from './fuzzer.js';

/*
 * The part of the fuzzer that the tests run (docs/internals/fuzzing.md). A failure prints its seed and number. `npm run check -- fuzz
 * --seed … --only …` repeats it.
 */
const REQUESTS = 5000;
const SEED = 20_261_121;
/** CI machines are shared, and the service runs in the process of the fuzzer, so this limit only detects hangs. */
const LATENCY_MS = 60_000;

let service: TestService;
beforeAll(async () => (service = await startService({ TRUST_PROXY: 'loopback' })));
afterAll(() => service.stop());

it(`withstands ${REQUESTS} valid, boundary and hostile requests of seed ${SEED}`, async () => {
  const { cookie } = await service.as('admin');
  const fuzzer = new Fuzzer({ url: service.url, cookie: cookie!, seed: SEED, latency: LATENCY_MS });
  const { requests, byStatus, failures } = await fuzzer.run(0, REQUESTS);
  expect(failures).toEqual([]);
  expect(requests).toBe(REQUESTS);
  // The requests have effects: records are created and updated, and refusals concern the content.
  // A write into a change set is accepted and runs later.
  expect((byStatus['201'] ?? 0) + (byStatus['202'] ?? 0)).toBeGreaterThan(REQUESTS / 50);
  expect(byStatus['200']).toBeGreaterThan(REQUESTS / 10);
  expect(byStatus['400']).toBeGreaterThan(REQUESTS / 10);
}, 600_000);
