/* Positions of devices in racks, including those in the open change set. */

import { get, queryOf } from '../api.js';
import type { Plan } from '../plan.js';
import { newRecordOf, plannedOf } from '../planned-records.js';
import type { Row } from '../types.js';

/** Properties of a device's position. */
const PLACING = ['rackId', 'rackPosition', 'rackFace', 'deviceTypeId'];
/** Records that one request reads. */
const MOST = 50;

async function readAll(path: string, ids: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < ids.length; at += MOST)
    rows.push(...(await get(`${path}${queryOf({ id: ids.slice(at, at + MOST), pageSize: MOST })}`)).data);
  return rows;
}

/** The heights of devices, by their ids. */
async function heightsOf(rows: readonly Row[]): Promise<Map<string, number>> {
  const types = await readAll('/api/device-types', [
    ...new Set(rows.flatMap(({ deviceTypeId }) => deviceTypeId ?? [])),
  ]);
  const heights = new Map(types.map(({ id, uHeight }) => [id, Number(uHeight ?? 1)]));
  return new Map(rows.map(({ id, deviceTypeId }) => [id, heights.get(deviceTypeId) ?? 1]));
}

/** A device in its planned position. */
interface Placed {
  id: string;
  name: string;
  /** Whether the change set creates it. */
  isNew: boolean;
  face: string;
  position: number;
  uHeight: number;
}

type Place = Pick<Placed, 'face' | 'position' | 'uHeight'>;

interface PlannedPlaces {
  placed: Placed[];
  /** Devices that would leave their position in the rack, with that position, by id. */
  left: ReadonlyMap<string, Place>;
}

export const NOTHING: PlannedPlaces = { placed: [], left: new Map() };

const unitsOf = ({ position, uHeight }: Place): number[] =>
  Array.from({ length: Math.ceil(uHeight) }, (_, index) => position + index);

/** The effects of a change set on the positions in a rack. */
export async function plannedPlaces(plan: Plan | undefined, rackId: string): Promise<PlannedPlaces> {
  const touched = [...(await plannedOf(plan, 'devices'))].filter(
    ([, { isNew, isDeleted, values }]) => (isDeleted && !isNew) || PLACING.some((name) => name in values),
  );
  if (touched.length === 0) return NOTHING;
  const standing = new Map<string, Row>();
  const ids = touched.flatMap(([id, { isNew }]) => (isNew ? [] : [id]));
  for (const row of await readAll('/api/devices', ids)) standing.set(row.id, row);
  const leaving = [...standing.values()].filter((one) => one.rackId === rackId);
  const after = touched
    .filter(([, { isDeleted }]) => !isDeleted)
    .map(([id, { isNew, values }]): Row => ({ ...standing.get(id), ...values, id, isNew }))
    .filter((one) => one.rackId === rackId && one.rackPosition !== null && one.rackPosition !== undefined);
  const placesOf = async (rows: readonly Row[]): Promise<Placed[]> => {
    const heights = await heightsOf(rows);
    return rows.map(({ id, name, isNew, rackFace, rackPosition }) => ({
      ...{ id, name, isNew, face: rackFace ?? 'front', position: Number(rackPosition) },
      uHeight: heights.get(id)!,
    }));
  };
  return { placed: await placesOf(after), left: new Map((await placesOf(leaving)).map((one) => [one.id, one])) };
}

/**
 * Positions for a device of a height in a rack, from below. In a rack that is only planned, all positions.
 * @param left positions that become free
 */
async function freeIn(
  plan: Plan | undefined,
  rackId: string,
  uHeight: number,
  face: string,
  left: readonly Place[],
): Promise<number[]> {
  const asked = async (height: number): Promise<number[]> =>
    (await get(`/api/racks/${rackId}/available-units${queryOf({ uHeight: height, face })}`)).data;
  const rack = await newRecordOf(plan, 'racks', rackId);
  const own = left.filter((one) => one.face === face);
  if (!rack && own.length === 0) return asked(uHeight);
  const all = rack ? unitsOf({ face, position: 1, uHeight: rack.units ?? 0 }) : await asked(1);
  const units = new Set([...all, ...own.flatMap(unitsOf)]);
  return [...units]
    .filter((position) => unitsOf({ face, position, uHeight }).every((unit) => units.has(unit)))
    .toSorted((a, b) => a - b);
}

/** The lowest free positions of devices, stacked if possible. A device that does not fit has none. */
export async function placesIn(
  plan: Plan | undefined,
  rackId: string,
  rows: readonly Row[],
): Promise<Map<string, number>> {
  const heights = await heightsOf(rows);
  const own = new Set(rows.map(({ id }) => id));
  const { placed, left } = await plannedPlaces(plan, rackId);
  const taken = placed
    .filter(({ id }) => !own.has(id))
    .map(({ position, uHeight }): [from: number, to: number] => [position, position + uHeight]);
  const free = new Map<string, number[]>();
  const places = new Map<string, number>();
  for (const { id, rackFace } of rows) {
    const height = heights.get(id)!;
    const face = rackFace ?? 'front';
    const key = `${height} ${face}`;
    if (!free.has(key)) free.set(key, await freeIn(plan, rackId, height, face, [...left.values()]));
    const place = free.get(key)!.find((at) => taken.every(([from, to]) => at >= to || at + height <= from));
    if (place === undefined) continue;
    places.set(id, place);
    taken.push([place, place + height]);
  }
  return places;
}
