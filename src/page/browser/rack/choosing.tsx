/* The rack beside the form of a new device: a click on a free unit fills in the position. */

import { useState } from 'preact/hooks';
import { useGet } from '../api.js';
import { Loaded } from '../parts.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { BesideFormProps } from '../types.js';
import { Face, type Elevation } from './face.js';
import { useKnown } from './known.js';

const FACES = ['front', 'rear'] as const;
type Side = (typeof FACES)[number];

export function ChoosingUnit({ values, set }: BesideFormProps) {
  const { rackId, rackPosition, rackFace, deviceTypeId } = values;
  const [turned, setTurned] = useState<Side>();
  const face: Side = turned ?? rackFace ?? 'front';
  const rack = useGet(rackId ? `/api/racks/${rackId}` : undefined);
  const elevation = useGet(rackId ? `/api/racks/${rackId}/elevation?face=${face}` : undefined);
  const type = useGet(deviceTypeId ? `/api/device-types/${deviceTypeId}` : undefined);
  const known = useKnown(rackId ? [rackId] : []);
  const height = (deviceTypeId && (type.answer?.data as components['schemas']['DeviceType'] | undefined)?.uHeight) || 1;
  const taken =
    rackPosition && (rackFace ?? 'front') === face
      ? Array.from({ length: Math.ceil(height) }, (_, at) => Number(rackPosition) + at)
      : [];
  if (!rackId)
    return (
      <section class="card choosing" aria-label="Place in the rack">
        <h2>Place in the rack</h2>
        <p class="muted">Choose a rack to see its free units.</p>
      </section>
    );
  return (
    <section class="card elevation choosing" aria-label="Place in the rack">
      <h2>
        {rack.answer ? rack.answer.data.name : 'Rack'}
        <span class="end tools" role="group" aria-label="Face">
          {FACES.map((one) => (
            <button key={one} type="button" class="quiet" aria-pressed={face === one} onClick={() => setTurned(one)}>
              {one === 'front' ? 'Front' : 'Rear'}
            </button>
          ))}
        </span>
      </h2>
      <Loaded from={elevation}>
        {({ data }) => {
          const shown = data as Elevation;
          const isFree = (unit: number): boolean =>
            shown.rows.some((row) => row.unit === unit && row.deviceId === null);
          return (
            <>
              <p class={taken.every(isFree) ? 'hint' : 'fault'} role="status">
                {taken.length === 0
                  ? 'Click a free unit to fill in the position.'
                  : taken.every(isFree)
                    ? `Takes ${height} U from unit ${rackPosition}.`
                    : `No room for ${height} U from unit ${rackPosition}.`}
              </p>
              {rack.answer && (
                <Face
                  elevation={shown}
                  rack={rack.answer.data}
                  face={face}
                  known={known}
                  chosen={taken}
                  choose={(unit) => set({ rackPosition: unit, rackFace: face })}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
