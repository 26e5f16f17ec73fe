import { inPaths, killedMoves, NETBOX, SNIPE_IT } from '../support/killed-moves.js';

/* A move that is killed and run again ends with the estate of one that was not. Every request is in move-in-killed.full.spec.ts. */

it('of a NetBox ends with the same estate if it is killed in its steps', async () => {
  const killing = inPaths({
    'sites/import': 'before',
    'custom-fields': 'sent',
    'device-ports/import': 'half',
    'device-port-vlans/import': 'sent',
    'ip-addresses/import': 'answered',
  });
  expect(await killedMoves(NETBOX, killing)).toHaveLength(5);
}, 240_000);

it('of a Snipe-IT ends with the same estate if it is killed in its steps', async () => {
  const killing = inPaths({
    'custom-fields': 'answered',
    'people/import': 'half',
    'assets/import': 'sent',
    'assets/handover': 'sent',
  });
  expect(await killedMoves(SNIPE_IT, killing)).toHaveLength(4);
}, 240_000);
