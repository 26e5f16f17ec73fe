/* The elevation of a rack. Each device is a link, and each free unit can get a new device. */

import { useEffect, useState } from 'preact/hooks';
import { queryOf, useGet } from '../api.js';
import { collectionAt, mayCreate, typed } from '../model.js';
import { Loaded } from '../parts.js';
import { usePlan } from '../plan.js';
import { useArrows } from '../room.js';
import { RackPower } from '../cabling/ends.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { FreeUnit, LEFT, UNIT, WIDTH } from './free-unit.js';
import { NOTHING, plannedPlaces } from './places.js';
import { Reserving } from './reserving.js';
import type { PanelProps } from '../types.js';

type Elevation = components['schemas']['RackElevation'];
type Mounted = Elevation['devices'][number];
type Reservation = Elevation['reservations'][number];

const FACES = ['front', 'rear'] as const;

/** Black or white, whichever has more contrast with a colour such as `#1d4ed8`. */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}

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
  const power = useGet(`${path}/power`);
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
          <Drawing
            elevation={data as Elevation}
            rack={rack}
            face={face}
            unfed={unfed.map(({ id }) => id)}
            chosen={chosen}
            choose={(unit, free) => setChosen((before = []) => choosing(before, unit, free))}
          />
        )}
      </Loaded>
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

/** One face of a rack, read by itself. */
export function RackFace({ rack, face }: { rack: components['schemas']['Rack']; face: string }) {
  const loaded = useGet(`/api/racks/${rack.id}/elevation?face=${face}`);
  return (
    <div class="elevation">
      <Loaded from={loaded}>{({ data }) => <Drawing elevation={data as Elevation} rack={rack} face={face} />}</Loaded>
    </div>
  );
}

/** The effects of the open change set on the positions in a rack. @param elevation as read; another one may have been planned for */
function usePlannedPlaces(rackId: string, elevation: Elevation): typeof NOTHING {
  const plan = usePlan();
  const [places, setPlaces] = useState(NOTHING);
  useEffect(() => {
    let isShown = true;
    plannedPlaces(plan, rackId).then(
      (found) => isShown && setPlaces(found),
      () => isShown && setPlaces(NOTHING),
    );
    return () => {
      isShown = false;
    };
  }, [plan, rackId, elevation]);
  return places;
}

function Drawing({
  elevation,
  rack,
  face,
  unfed = [],
  chosen,
  choose,
}: {
  elevation: Elevation;
  rack: components['schemas']['Rack'];
  face: string;
  /** Ids of the devices without power, which are marked. */
  unfed?: readonly string[];
  /** Units that are chosen for a reservation; undefined outside of that mode. */
  chosen?: readonly number[];
  choose?: (unit: number, free: readonly number[]) => void;
}) {
  const { rows, devices, unplaced, units, reservations } = elevation;
  const arrows = useArrows();
  const { placed, left } = usePlannedPlaces(rack.id, elevation);
  if (units === null || rows.length === 0)
    return <p class="muted">Set the number of units of the rack to see a drawing.</p>;
  const height = rows.length * UNIT;
  const topOf = ({ position, uHeight }: Pick<Mounted, 'position' | 'uHeight'>): number =>
    (units + 1 - position - (uHeight ?? 1)) * UNIT;
  const isFillable = mayCreate(collectionAt('/api/devices'));
  const reserved = new Map<number, Reservation>(
    reservations
      .filter((one) => one.face === null || one.face === face)
      .flatMap((one) => one.units.map((unit) => [unit, one] as const)),
  );
  const free = rows.flatMap(({ unit, deviceId }) => (deviceId || reserved.has(unit) ? [] : [unit]));
  const place = (unit: number): string =>
    `#/devices/new${queryOf({
      rackId: rack.id,
      siteId: rack.siteId,
      locationId: rack.locationId,
      rackPosition: unit,
      rackFace: face,
    })}`;
  return (
    <>
      <svg
        {...arrows}
        class="drawing"
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="group"
        aria-label={`${rack.name}, ${face}, ${units} units`}
      >
        <rect class="frame" x={LEFT} y={0} width={WIDTH - LEFT} height={height} />
        {rows.map(({ unit, deviceId }) => {
          const y = (units - unit) * UNIT;
          return (
            <g key={unit}>
              <text class="unit" x={LEFT - 8} y={y + UNIT * 0.7} text-anchor="end">
                {unit}
              </text>
              {!deviceId && (
                <FreeUnit
                  unit={unit}
                  y={y}
                  reservation={reserved.get(unit)}
                  isChosen={chosen?.includes(unit)}
                  choose={chosen && (() => choose!(unit, free))}
                  address={isFillable ? place(unit) : undefined}
                />
              )}
            </g>
          );
        })}
        {devices.map((one) => {
          const color = one.color ?? '#64748b';
          const isLeaving = left.has(one.id);
          const isUnfed = unfed.includes(one.id);
          const state = `${isUnfed ? ', without power' : ''}${isLeaving ? ', planned to leave' : ''}`;
          return (
            <a
              key={one.id}
              href={`#/devices/${one.id}`}
              class={`mounted ${isUnfed ? 'unfed' : ''} ${isLeaving ? 'leaving' : ''}`}
              aria-label={`${one.name}, unit ${one.position}${state}`}
            >
              <title>{`${one.name}, ${one.uHeight ?? 1} U from unit ${one.position}${state}`}</title>
              <rect
                x={LEFT + 1}
                y={topOf(one) + 1}
                width={WIDTH - LEFT - 2}
                height={(one.uHeight ?? 1) * UNIT - 2}
                rx={3}
                fill={color}
              />
              <text x={LEFT + 10} y={topOf(one) + ((one.uHeight ?? 1) * UNIT) / 2 + 4} fill={inkOn(color)}>
                {one.name.length > 36 ? `${one.name.slice(0, 35)}…` : one.name}
              </text>
            </a>
          );
        })}
        {placed
          .filter((one) => one.face === face)
          .map((one) => (
            <PlannedDevice key={one.id} device={one} top={topOf(one)} />
          ))}
      </svg>
      {unplaced.length > 0 && (
        <p class="more">
          Without a unit:{' '}
          {unplaced.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <a href={`#/devices/${id}/edit`}>{name}</a>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** A device where the open change set puts it. */
function PlannedDevice({ device, top }: { device: (typeof NOTHING.placed)[number]; top: number }) {
  const { id, name, isNew, position, uHeight } = device;
  const said = `${name}, planned for unit ${position}`;
  const drawn = (
    <>
      <title>{said}</title>
      <rect x={LEFT + 1} y={top + 1} width={WIDTH - LEFT - 2} height={uHeight * UNIT - 2} rx={3} fill="var(--paper)" />
      <text x={LEFT + 10} y={top + (uHeight * UNIT) / 2 + 4}>
        {name.length > 36 ? `${name.slice(0, 35)}…` : name}
      </text>
    </>
  );
  return isNew ? (
    <g class="planned" role="img" aria-label={said}>
      {drawn}
    </g>
  ) : (
    <a href={`#/devices/${id}`} class="planned mounted" aria-label={said}>
      {drawn}
    </a>
  );
}
