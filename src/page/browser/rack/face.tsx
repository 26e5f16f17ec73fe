/* One face of a rack, drawn by the page so that what is in it can be opened, and what is free can be filled. */

import { useEffect, useState } from 'preact/hooks';
import { queryOf } from '../api.js';
import { collectionAt, mayCreate } from '../model.js';
import { usePlan } from '../plan.js';
import { shortened, useArrows } from '../room.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { FreeUnit, LEFT, UNIT, WIDTH } from './free-unit.js';
import { saidOf, type KnownDevices } from './known.js';
import { useMoving } from './moving.js';
import { NOTHING, plannedPlaces } from './places.js';

export type Elevation = components['schemas']['RackElevation'];
type Mounted = Elevation['devices'][number];
type Reservation = Elevation['reservations'][number];

/** What is drawn of a device whose role has no colour. */
export const UNCOLOURED = '#64748b';

/** Black or white, whichever has more contrast with a colour such as `#1d4ed8`. */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
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

export function Face({
  elevation,
  rack,
  face,
  known,
  width = WIDTH,
  unfed = [],
  chosen,
  choose,
}: {
  elevation: Elevation;
  rack: components['schemas']['Rack'];
  face: string;
  known: KnownDevices;
  width?: number;
  /** Ids of the devices without power, which are marked. */
  unfed?: readonly string[];
  /** Units that are chosen for a reservation; undefined outside of that mode. */
  chosen?: readonly number[];
  choose?: (unit: number, free: readonly number[]) => void;
}) {
  const { rows, devices, unplaced, units, reservations } = elevation;
  const arrows = useArrows();
  const { placed, left } = usePlannedPlaces(rack.id, elevation);
  const isFillable = mayCreate(collectionAt('/api/devices'));
  const reserved = new Map<number, Reservation>(
    reservations
      .filter((one) => one.face === null || one.face === face)
      .flatMap((one) => one.units.map((unit) => [unit, one] as const)),
  );
  const free = rows.flatMap(({ unit, deviceId }) => (deviceId || reserved.has(unit) ? [] : [unit]));
  const { target, listening } = useMoving(free);
  if (units === null || rows.length === 0)
    return <p class="muted">Set the number of units of the rack to see a drawing.</p>;
  const height = rows.length * UNIT;
  const topOf = ({ position, uHeight }: Pick<Mounted, 'position' | 'uHeight'>): number =>
    (units + 1 - position - (uHeight ?? 1)) * UNIT;
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
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={`${rack.name}, ${face}, ${units} units`}
      >
        <rect class="frame" x={LEFT} y={0} width={width - LEFT} height={height} />
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
                  width={width}
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
          const color = one.color ?? UNCOLOURED;
          const isLeaving = left.has(one.id);
          const isUnfed = unfed.includes(one.id);
          const state = `${isUnfed ? ', without power' : ''}${isLeaving ? ', planned to leave' : ''}`;
          return (
            <a
              key={one.id}
              href={`#/devices/${one.id}`}
              class={`mounted ${isUnfed ? 'unfed' : ''} ${isLeaving ? 'leaving' : ''}`}
              aria-label={`${one.name}, unit ${one.position}${state}`}
              aria-keyshortcuts={listening && 'Alt+ArrowUp Alt+ArrowDown'}
              {...(!chosen && listening?.(one))}
            >
              <title>
                {[
                  `${one.name}, ${one.uHeight ?? 1} U from unit ${one.position}${state}`,
                  ...saidOf(known.get(one.id)),
                ].join('\n')}
              </title>
              <rect
                x={LEFT + 1}
                y={topOf(one) + 1}
                width={width - LEFT - 2}
                height={(one.uHeight ?? 1) * UNIT - 2}
                rx={3}
                fill={color}
              />
              <text x={LEFT + 10} y={topOf(one) + ((one.uHeight ?? 1) * UNIT) / 2 + 4} fill={inkOn(color)}>
                {shortened(one.name, width - LEFT - 16)}
              </text>
            </a>
          );
        })}
        {target && (
          <rect
            class="target"
            x={LEFT + 1}
            y={topOf(target) + 1}
            width={width - LEFT - 2}
            height={(target.uHeight ?? 1) * UNIT - 2}
            rx={3}
          />
        )}
        {placed
          .filter((one) => one.face === face)
          .map((one) => (
            <PlannedDevice key={one.id} device={one} top={topOf(one)} width={width} />
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
function PlannedDevice({
  device,
  top,
  width,
}: {
  device: (typeof NOTHING.placed)[number];
  top: number;
  width: number;
}) {
  const { id, name, isNew, position, uHeight } = device;
  const said = `${name}, planned for unit ${position}`;
  const drawn = (
    <>
      <title>{said}</title>
      <rect x={LEFT + 1} y={top + 1} width={width - LEFT - 2} height={uHeight * UNIT - 2} rx={3} fill="var(--paper)" />
      <text x={LEFT + 10} y={top + (uHeight * UNIT) / 2 + 4}>
        {shortened(name, width - LEFT - 16)}
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
