// Shared by the crash tests: writers during whose work a process is killed, and an audit of their ledger after each kill.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, milliseconds, most } from './support.mjs';
import { Writers } from './writers.mjs';

/**
 * Lets the writers work, causes a crash, and audits the stored data.
 * @param clients those that write; the usual ones if absent
 * @param strike causes the crash while the writers work; resolves to the milliseconds until the service responds again
 */
export async function crashes({ api, times, say, strike, clients }) {
  const writers = await Writers.make(api, clients);
  let lost = 0;
  let assets = 0;
  const disagreements = [];
  const comebacks = [];
  for (let n = 1; n <= times; n++) {
    const busy = writers.acknowledged + writers.clients.length;
    writers.start();
    // A crash without work would show nothing, however slow the machine is.
    while (writers.acknowledged < busy) await sleep(10);
    // At a different point of the work each time.
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

/** The results about stored data after crashes. */
export function checkLedger({ check, what, result: { writers, lost, assets, disagreements } }) {
  check({
    what: `${what}: missing acknowledged creates, changes and receives`,
    asked: 'none',
    reached: `${lost} of ${count(writers.acknowledged)}; ${count(writers.unanswered + (writers.statuses().get(503) ?? 0))} had no response or were refused`,
    kept: lost === 0 && writers.acknowledged > 0,
  });
  check({
    what: 'Orders whose `quantityReceived` differs from their number of assets or that have half of a receive; receives that ran twice when repeated with their `Idempotency-Key`',
    asked: 'none',
    reached: disagreements.length === 0 ? `none; ${count(assets)} assets` : disagreements.join('; '),
    kept: disagreements.length === 0,
  });
}
