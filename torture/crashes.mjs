// What the crash storms have in common: writers under whom something is killed, and a look at their ledger each time.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, milliseconds, most } from './support.mjs';
import { Writers } from './writers.mjs';

/**
 * Lets the writers work, strikes, and audits what is stored.
 * @param strike does the damage while the writers work; resolves, when the service can be asked again, to the milliseconds
 *   that this took
 */
export async function crashes({ api, times, say, strike }) {
  const writers = await Writers.make(api);
  let lost = 0;
  let assets = 0;
  const disagreements = [];
  const comebacks = [];
  for (let n = 1; n <= times; n++) {
    writers.start();
    // At another point of the work each time.
    await sleep(randomInt(500, 1_500));
    comebacks.push(await strike(writers, n));
    await writers.rest();
    const audit = await writers.audit();
    lost += audit.lost;
    assets = audit.assets;
    disagreements.push(...audit.disagreements);
    say(
      `${n}: ${count(writers.acknowledged)} acknowledged, ${audit.lost} lost, back in ${milliseconds(comebacks.at(-1))}`,
    );
  }
  return { writers, lost, assets, disagreements, slowest: most(comebacks) };
}

/** The claims about what is stored after crashes. */
export function checkLedger({ check, what, result: { writers, lost, assets, disagreements } }) {
  check({
    what: `${what}: acknowledged creates, changes and receives that are missing`,
    asked: 'none',
    reached: `${lost} of ${count(writers.acknowledged)}; ${count(writers.unanswered + (writers.statuses().get(503) ?? 0))} went unanswered or were refused`,
    kept: lost === 0 && writers.acknowledged > 0,
  });
  check({
    what: 'Orders whose `quantityReceived` is not the count of their assets, or of whose receives a half was kept; receives that were repeated with their `Idempotency-Key` and done twice',
    asked: 'none',
    reached: disagreements.length === 0 ? `none; ${count(assets)} assets` : disagreements.join('; '),
    kept: disagreements.length === 0,
  });
}
