import type { Device } from './devices.js';
import type { Estate } from './estate.js';
import type { Site } from './places.js';

const MOVED = 3;

/** Change sets: one that was merged, and a planned rack move that now has conflicts. */
export async function makePlans(estate: Estate, sites: readonly Site[], devices: readonly Device[]): Promise<void> {
  const [site] = sites as [Site];
  const within = (rack: string): Device[] =>
    devices.filter((device) => device.site === site && device.rack.name === rack);
  const update = (device: Device, data: object): [string, object] => [device.id, data];

  const labelled = within('M1').map((device) => update(device, { description: 'Labelled at both ends' }));
  const done = await plan(estate, { name: 'Label the meet-me room' }, labelled);
  await estate.make(`change-sets/${done}/merge`, {});

  const submitted = (await estate.all('change-requests')).find(({ status }) => status === 'submitted');
  const moved = within('A4').slice(0, MOVED);
  const { id: rackId } = site.racks.get('C3')!;
  await plan(
    estate,
    {
      name: 'Move three devices from A4 to C3',
      description: 'Row C has room and power to spare. Each device keeps its position.',
      changeRequestId: submitted?.id ?? null,
    },
    moved.map((device) => update(device, { rackId, description: 'Moved from A4' })),
  );
  // Another user has changed the same field in the meantime.
  await estate.change(`devices/${moved[0]!.id}`, { description: 'One fan is loud' });
}

/** @returns the id of an open change set that changes devices */
async function plan(estate: Estate, set: object, changes: readonly [string, object][]): Promise<string> {
  const { id } = await estate.make('change-sets', set);
  for (const [recordId, data] of changes) {
    await estate.make(`change-sets/${id}/operations`, { op: 'update', resource: 'devices', recordId, data });
  }
  return id;
}
