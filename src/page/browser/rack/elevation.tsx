/* The elevation of a rack. Each device is a link, and each free unit can get a new device. */

import { useState } from 'preact/hooks';
import { useGet } from '../api.js';
import { collectionAt, may, mayCreate, operationOn, typed } from '../model.js';
import { Loaded } from '../parts.js';
import { RackPower } from '../cabling/ends.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { Face, type Elevation } from './face.js';
import { useKnown, type KnownDevices } from './known.js';
import { Reserving } from './reserving.js';
import type { PanelProps } from '../types.js';

const FACES = ['front', 'rear'] as const;
/** Width of a rack among others. */
const NARROW = 184;

/** The chosen units after a click: the first click begins a range, the second ends it, and each later one selects one unit. */
function choosing(before: readonly number[], unit: number, free: readonly number[]): number[] {
  const [first] = before;
  if (before.length === 1 && first !== unit) {
    const [from, to] = [Math.min(first!, unit), Math.max(first!, unit)];
    return free.filter((one) => one >= from && one <= to).toSorted((one, other) => one - other);
  }
  const others = before.filter((one) => one !== unit);
  return others.length < before.length ? others : [...before, unit].toSorted((one, other) => one - other);
}

/** Faces of a rack, drawn by the page so that what is in it can be opened, and what is free can be filled. */
export function RackElevation({ path, record }: PanelProps) {
  const [face, setFace] = useState<(typeof FACES)[number]>('front');
  const [chosen, setChosen] = useState<readonly number[]>();
  const loaded = useGet(`${path}/elevation?face=${face}`);
  const rack = typed<'Rack'>(record);
  const isReservable = rack.units !== null && mayCreate(collectionAt('/api/rack-reservations'));
  const isMovable = rack.units !== null && may(operationOn(collectionAt('/api/devices')!, 'patch'));
  const power = useGet(`${path}/power`);
  const known = useKnown([rack.id]);
  const { unfed } = (power.answer?.data ?? { unfed: [] }) as Pick<components['schemas']['RackPower'], 'unfed'>;
  return (
    <section class="card elevation" aria-label="Elevation">
      <h2>
        Elevation
        <span class="end tools" role="group" aria-label="Face">
          {FACES.map((one) => (
            <button key={one} type="button" class="quiet" aria-pressed={face === one} onClick={() => setFace(one)}>
              {one === 'front' ? 'Front' : 'Rear'}
            </button>
          ))}
        </span>
      </h2>
      <Loaded from={loaded}>
        {({ data }) => (
          <Face
            elevation={data as Elevation}
            rack={rack}
            face={face}
            known={known}
            unfed={unfed.map(({ id }) => id)}
            chosen={chosen}
            choose={(unit, free) => setChosen((before = []) => choosing(before, unit, free))}
          />
        )}
      </Loaded>
      {isMovable && !chosen && <p class="hint">Drag a device to another free place, or press Alt and ↑ or ↓ on it.</p>}
      {chosen ? (
        <Reserving rack={rack} face={face} units={chosen} close={() => setChosen(undefined)} />
      ) : (
        isReservable && (
          <p class="tools">
            <button type="button" onClick={() => setChosen([])}>
              Reserve units
            </button>
          </p>
        )
      )}
      <RackPower loaded={power} />
    </section>
  );
}

/** One face of a rack among others, read by itself and narrow. */
export function RackFace({
  rack,
  face,
  known,
}: {
  rack: components['schemas']['Rack'];
  face: string;
  known: KnownDevices;
}) {
  const loaded = useGet(`/api/racks/${rack.id}/elevation?face=${face}`);
  return (
    <div class="elevation">
      <Loaded from={loaded}>
        {({ data }) => <Face elevation={data as Elevation} rack={rack} face={face} known={known} width={NARROW} />}
      </Loaded>
    </div>
  );
}
