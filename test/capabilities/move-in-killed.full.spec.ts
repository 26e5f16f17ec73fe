import { EVERYWHERE, killedMoves, NETBOX, SNIPE_IT } from '../support/killed-moves.js';

/* A move is killed before, during or after each of its requests, and run again each time. */

it('of a NetBox ends with the same estate wherever it is killed', async () => {
  expect((await killedMoves(NETBOX, EVERYWHERE)).length).toBeGreaterThan(30);
}, 900_000);

it('of a Snipe-IT ends with the same estate wherever it is killed', async () => {
  expect((await killedMoves(SNIPE_IT, EVERYWHERE)).length).toBeGreaterThan(10);
}, 600_000);
