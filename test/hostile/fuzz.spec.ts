import { startService, type TestService } from '../support/app.js';
import { Fuzzer } from './fuzzer.js';

/*
 * What CI runs of the fuzzer (docs/fuzzing.md): a failure prints its seed and number, which `npm run fuzz -- --seed …
 * --only …` sends again.
 */
const REQUESTS = 5000;
const SEED = 20_261_121;
/** Machines of CI are shared, and the service shares its process with the fuzzer: a bound for what hangs, and no more. */
const LATENCY_MS = 10_000;

let service: TestService;
beforeAll(async () => (service = await startService({ TRUST_PROXY: 'loopback' })));
afterAll(() => service.stop());

it(`stands ${REQUESTS} valid, boundary and hostile requests of seed ${SEED}`, async () => {
  const { cookie } = await service.as('admin');
  const fuzzer = new Fuzzer({ url: service.url, cookie: cookie!, seed: SEED, latency: LATENCY_MS });
  const { requests, byStatus, failures } = await fuzzer.run(0, REQUESTS);
  expect(failures).toEqual([]);
  expect(requests).toBe(REQUESTS);
  // It reaches what it is about: records are made and changed, and what is refused is refused for its content.
  expect(byStatus['201']).toBeGreaterThan(REQUESTS / 20);
  expect(byStatus['200']).toBeGreaterThan(REQUESTS / 10);
  expect(byStatus['400']).toBeGreaterThan(REQUESTS / 10);
}, 600_000);
