import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../../lists/request-context.js';
import { NotFound } from '../../../http/errors.js';
import type { RackFace } from '../rack.entity.js';
import type { ElevationDevice, RackElevation, RackUtilisation } from './rack-space.models.js';
import { raw, sql, type Sql } from '../../../database/sql.js';
import { instantText } from '../../../fields/types/time.js';

/** Half units that something occupies: from the first, up to but not including the last. */
interface Span {
  from: number;
  to: number;
}

/** Data for the picture of a rack besides its elevation. */
export interface RackCaptions {
  site: string | null;
  location: string | null;
  status: string;
  /** By the id of a device. */
  ofDevices: ReadonlyMap<string, DeviceCaption>;
}

interface DeviceCaption {
  role: string | null;
  status: string;
}

/** The space that a device needs. */
interface Wanted {
  uHeight: number;
  /** Both faces, if absent. */
  face?: RackFace;
  /** Time whose reservations are left out; now, if absent. */
  at?: string;
}

interface Taken extends Span {
  front: boolean;
  rear: boolean;
}

const elevationOf = (rackId: string, at: string | null): Sql => sql`
SELECT r.name, r.units, r.status, (SELECT s.name FROM sites s WHERE s.id = r.site_id) AS site,
  (SELECT l.name FROM locations l WHERE l.id = r.location_id) AS location,
  (SELECT coalesce(json_agg(json_build_object(
      'id', d.id, 'name', d.name, 'position', d.rack_position, 'uHeight', t.u_height, 'face', coalesce(d.rack_face, 'front'),
      'isFullDepth', coalesce(t.is_full_depth, false), 'color', o.color, 'role', o.name,
      'status', d.status) ORDER BY d.rack_position DESC, d.name, d.id), '[]')
    FROM devices d LEFT JOIN device_types t ON t.id = d.device_type_id LEFT JOIN device_roles o ON o.id = d.device_role_id
    WHERE d.rack_id = r.id AND d.rack_position IS NOT NULL) AS placed,
  (SELECT coalesce(json_agg(json_build_object('id', d.id, 'name', d.name) ORDER BY d.name, d.id), '[]')
    FROM devices d WHERE d.rack_id = r.id AND d.rack_position IS NULL) AS unplaced,
  (SELECT coalesce(json_agg(json_build_object('deviceIds', json_build_array(a.device_id, b.device_id)) ORDER BY a.units, a.device_id, b.device_id), '[]')
    FROM rack_placements a JOIN rack_placements b
      ON b.rack_id = a.rack_id AND b.device_id > a.device_id AND b.faces && a.faces AND b.units && a.units
    WHERE a.rack_id = r.id AND a.cluster = r.id AND b.cluster = r.id) AS overlaps,
  (SELECT coalesce(json_agg(json_build_object('id', v.id, 'units', v.units, 'face', v.face, 'startTime', ${raw(instantText('v.start_time'))},
      'endTime', ${raw(instantText('v.end_time'))}, 'deviceId', v.device_id, 'personId', v.person_id, 'changeRequestId', v.change_request_id,
      'description', v.description) ORDER BY lower(k.units), v.face, v.id), '[]')
    FROM rack_reservation_places k JOIN rack_reservations v ON v.id = k.reservation_id
    WHERE k.rack_id = r.id AND k.during @> coalesce(${at}::timestamptz, now())) AS reservations
FROM racks r WHERE r.id = ${rackId}`;

const takenIn = (rackId: string): Sql => sql`
SELECT r.units, (SELECT coalesce(json_agg(json_build_object(
    'from', lower(p.units), 'to', upper(p.units), 'front', lower(p.faces) = 0, 'rear', upper(p.faces) = 2) ORDER BY p.units), '[]')
  FROM rack_placements p WHERE p.rack_id = r.id) AS taken
FROM racks r WHERE r.id = ${rackId}`;

/** Half units that are reserved at a time. */
const reservedIn = (rackId: string, at: string | null): Sql => sql`
SELECT lower(span)::float8 * 2 AS "from", upper(span)::float8 * 2 AS "to", lower(k.faces) = 0 AS front, upper(k.faces) = 2 AS rear
FROM rack_reservation_places k, unnest(k.units) span WHERE k.rack_id = ${rackId} AND k.during @> coalesce(${at}::timestamptz, now())`;

/** The highest position of a device. Units above it are left out, however high the rack. */
const HIGHEST = 1000;

/** The taken and the free units of racks. */
@Injectable()
export class RackSpaceService {
  /** @param at time whose reservations are shown; now if it is not given @throws NotFound */
  async elevation(
    ctx: RequestContext,
    rackId: string,
    face: RackFace,
    at?: string,
  ): Promise<{ elevation: RackElevation; captions: RackCaptions }> {
    const { name, units, status, site, location, placed, unplaced, overlaps, reservations } = await this.read<{
      name: string;
      units: number | null;
      status: string;
      site: string | null;
      location: string | null;
      placed: (ElevationDevice & DeviceCaption)[];
      unplaced: RackElevation['unplaced'];
      overlaps: RackElevation['conflicts'];
      reservations: RackElevation['reservations'];
    }>(ctx, elevationOf(rackId, at ?? null));
    const outside = placed.filter((device) => isOutside(device, units)).map(({ id }) => ({ deviceIds: [id] }));
    const seen = placed.filter((device) => device.isFullDepth || device.face === face);
    const devices = seen.map(({ role: _role, status: _status, ...device }): ElevationDevice => device);
    const elevation: RackElevation = {
      rackId,
      name,
      units,
      face,
      devices,
      rows: rowsOf(devices, units),
      unplaced,
      conflicts: [...overlaps, ...outside],
      reservations,
    };
    return {
      elevation,
      captions: { site, location, status, ofDevices: new Map(seen.map((device) => [device.id, device])) },
    };
  }

  /** The positions that a device of this size can have, ascending. @throws NotFound */
  async available(ctx: RequestContext, rackId: string, { uHeight, face, at }: Wanted): Promise<number[]> {
    const { units, taken } = await this.read<{ units: number | null; taken: Taken[] }>(ctx, takenIn(rackId));
    const reserved = await ctx.db.query<Taken>(reservedIn(rackId, at ?? null));
    const inTheWay = [...taken, ...reserved].filter((space) => face === undefined || space[face]);
    const highest = inTheWay.reduce((top, { to }) => Math.max(top, to), 2);
    const height = uHeight * 2;
    // A device of whole units gets whole units, because it is screwed to the holes of a unit.
    const step = height % 2 === 0 ? 2 : 1;
    const top = units === null ? Math.ceil(highest / step) * step + height : units * 2 + 2;
    const last = Math.min(top - height, HIGHEST * 2);
    const free: number[] = [];
    for (let from = 2; from <= last; from += step) {
      if (inTheWay.every((space) => space.to <= from || space.from >= from + height)) free.push(from / 2);
    }
    return free;
  }

  /** @throws NotFound */
  async utilisation(ctx: RequestContext, rackId: string): Promise<RackUtilisation> {
    const { units, taken } = await this.read<{ units: number | null; taken: Taken[] }>(ctx, takenIn(rackId));
    const usedUnits = lengthOf(taken, units === null ? Infinity : units * 2 + 2) / 2;
    return {
      units,
      usedUnits,
      freeUnits: units === null ? null : units - usedUnits,
      utilisation: units ? usedUnits / units : null,
    };
  }

  private async read<R extends object>({ db }: RequestContext, statement: Sql): Promise<R> {
    const [row] = await db.query<R>(statement);
    if (!row) throw new NotFound('Rack');
    return row;
  }
}

const topOf = ({ position, uHeight }: ElevationDevice): number => position + (uHeight ?? 0);

const isOutside = (device: ElevationDevice, units: number | null): boolean =>
  device.position < 1 || (units !== null && (device.position >= units + 1 || topOf(device) > units + 1));

/** Whole units, each with the device in its lower part, or else in its upper part. */
function rowsOf(devices: readonly ElevationDevice[], units: number | null): RackElevation['rows'] {
  const deviceAt = new Map<number, string>();
  for (const device of devices) {
    for (let unit = Math.floor(device.position); unit < topOf(device); unit++) {
      // Sorted from the top, so the last is the lowest.
      if (device.uHeight) deviceAt.set(unit, device.id);
    }
  }
  const top = Math.min(units ?? Math.max(0, ...deviceAt.keys()), HIGHEST);
  return Array.from({ length: top }, (_, index) => ({
    unit: top - index,
    deviceId: deviceAt.get(top - index) ?? null,
  }));
}

/** Half units that the spans occupy below an end. The spans are in ascending order. */
function lengthOf(spans: readonly Span[], end: number): number {
  let length = 0;
  let reached = 2;
  for (const { from, to } of spans) {
    const until = Math.min(to, end);
    length += Math.max(0, until - Math.max(from, reached));
    reached = Math.max(reached, until);
  }
  return length;
}
