/* Where a device is: its rack in small, with its own units lit. */

import { useGet } from '../api.js';
import { typed } from '../model.js';
import { Loaded } from '../parts.js';
import type { PanelProps } from '../types.js';
import type { Elevation } from './face.js';

const UNIT = 6;
const WIDTH = 96;

export function PlaceInRack({ record }: PanelProps) {
  const { id, rackId, rackPosition, rackFace } = typed<'Device'>(record);
  const isPlaced = rackId !== null && rackPosition !== null;
  const loaded = useGet(isPlaced ? `/api/racks/${rackId}/elevation?face=${rackFace ?? 'front'}` : undefined);
  if (!isPlaced) return null;
  return (
    <section class="card panel" aria-label="Place in the rack">
      <h2>Place in the rack</h2>
      <Loaded from={loaded}>{({ data }) => <Small elevation={data as Elevation} id={id} />}</Loaded>
    </section>
  );
}

function Small({ elevation: { units, devices }, id }: { elevation: Elevation; id: string }) {
  const own = devices.find((one) => one.id === id);
  if (units === null || !own) return null;
  const topOf = ({ position, uHeight }: typeof own): number => (units + 1 - position - (uHeight ?? 1)) * UNIT;
  const upwards = devices.toSorted((one, other) => one.position - other.position);
  return (
    <div class="place">
      <svg viewBox={`0 0 ${WIDTH} ${units * UNIT}`} role="img" aria-label={`Unit ${own.position} of ${units}`}>
        <rect class="frame" width={WIDTH} height={units * UNIT} />
        {devices.map((one) => (
          <rect
            key={one.id}
            class={one.id === id ? 'own' : undefined}
            x={2}
            y={topOf(one) + 0.5}
            width={WIDTH - 4}
            height={(one.uHeight ?? 1) * UNIT - 1}
          />
        ))}
      </svg>
      <dl class="fields">
        <Neighbour label="Above" device={upwards.find(({ position }) => position > own.position)} />
        <Neighbour label="Below" device={upwards.findLast(({ position }) => position < own.position)} />
      </dl>
    </div>
  );
}

const Neighbour = ({ label, device }: { label: string; device: Elevation['devices'][number] | undefined }) =>
  device ? (
    <div>
      <dt>{label}</dt>
      <dd>
        <a href={`#/devices/${device.id}`}>
          <bdi>{device.name}</bdi>
        </a>
      </dd>
    </div>
  ) : null;
