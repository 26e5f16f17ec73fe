import type { Estate, Made } from './estate.js';
import type { People } from './people.js';
import type { Site } from './places.js';

/** Hours of the working day in which racks are built. */
const MOVE = ['07:00', '17:00'] as const;

/** The work of asset managers: seats, stock, reserved units, and a colleague who has left. */
export async function makeAssetDesk(estate: Estate, sites: readonly Site[], people: People): Promise<void> {
  const [amsterdam] = sites as [Site];
  await keepStock(estate, amsterdam, people);
  await reserveUnits(estate, amsterdam);
  await letGo(estate, amsterdam, people);
}

/** Patch cables at two sites, and too few transceivers. */
async function keepStock(estate: Estate, site: Site, people: People): Promise<void> {
  const locationId = site.locations.get('Store');
  const move = (item: Made, body: object): Promise<Made> => estate.make(`stock-items/${item.id}/movements`, body);
  const cables = await estate.make('stock-items', { name: 'Patch cable Cat 6A, 2 m', sku: 'PC6A-200', minimum: 50 });
  await move(cables, { kind: 'count', quantity: 260, locationId });
  await move(cables, { kind: 'transfer', quantity: 60, locationId, toSiteId: site.id });
  const [personId] = people.team('network');
  await move(cables, { kind: 'issue', quantity: -48, locationId, personId, reason: 'New access switches' });
  const modules = await estate.make('stock-items', { name: 'SFP-10G-SR', sku: 'SFP-10G-SR', minimum: 12 });
  await move(modules, { kind: 'count', quantity: 9, locationId });
}

/** Four units of a rack with room are kept for a planned move. */
async function reserveUnits(estate: Estate, site: Site): Promise<void> {
  for (const { id: rackId } of site.racks.values()) {
    const free = (await estate.all(`racks/${rackId}/available-units?uHeight=1`)).map(Number);
    const [first] = free.filter((unit) => [1, 2, 3].every((more) => free.includes(unit + more)));
    if (first === undefined) continue;
    await estate.make('rack-reservations', {
      rackId,
      units: [0, 1, 2, 3].map((more) => first + more),
      startTime: estate.at(6, MOVE[0]),
      endTime: estate.at(8, MOVE[1]),
      description: 'Storage that moves in from the old room',
    });
    return;
  }
}

/** A person who had a laptop, a seat and a runbook has left. Everything was returned or given to a colleague. */
async function letGo(estate: Estate, site: Site, people: People): Promise<void> {
  const { id: personId } = await estate.make('people', {
    fullName: 'Robin Castle',
    email: 'robin.castle@example.com',
    jobTitle: 'Network engineer',
    siteId: site.id,
  });
  const { id: licenceId } = await estate.make('software-licences', { name: 'Diagrams', product: 'Diagrams', seats: 5 });
  const [successorId, ...others] = people.team('network');
  for (const holder of [personId, ...others.slice(0, 2)])
    await estate.make(`software-licences/${licenceId}/seats`, { personId: holder });
  const { id: assetId } = await estate.make('assets', {
    name: 'ThinkPad T14',
    assetTag: 'LEFT-01',
    siteId: site.id,
    locationId: site.locations.get('Store'),
  });
  await estate.make(`assets/${assetId}/assign`, { personId });
  await estate.make('runbooks', { name: 'Replace an access switch', category: 'network', ownerId: personId });
  await estate.make(`people/${personId}/offboard`, { successorId });
}
